import { readdirSync, readFileSync } from 'node:fs'

/** Returns the parents of all processes of a Linux machine, by their ids. */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      // the name of the program, in brackets, may contain anything
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
      parents.set(Number(name), Number(parent))
    } catch {
      // it has ended meanwhile
    }
  }
  return parents
}

/** Sends a signal to a process, unless it has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended already
  }
}

/**
 * Stops processes with all that descend from them, where they stand: their connections stay open, and nothing answers.
 *
 * @returns a function that lets them go on
 */
export function freezeTrees(roots: number[]): () => void {
  const frozen = new Set<number>()
  const freeze = (pid: number) => {
    signal(pid, 'SIGSTOP')
    frozen.add(pid)
  }
  roots.forEach(freeze)
  // a parent that is stopped starts no more children, so that this ends
  for (let before = 0; before < frozen.size; ) {
    before = frozen.size
    for (const [pid, parent] of readParents()) if (frozen.has(parent) && !frozen.has(pid)) freeze(pid)
  }
  return () => {
    for (const pid of frozen) signal(pid, 'SIGCONT')
  }
}
