import { availableParallelism } from 'node:os'

// Slow hashes are computed on the four threads of Node's pool, which also read files and look names up. Together these leave
// one of the threads to them, and the hashes of passwords a processor to those who are signed in (decision overload-protection).

/** How many passwords a process hashes at a time. */
export const PASSWORD_HASH_SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1))
/** How many codes of notes it hashes at a time: apart, so that many attempts with these delay no sign-in. */
export const NOTE_HASH_SLOTS = 1
