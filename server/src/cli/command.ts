/** One of the commands of `platenote`. */
export type Command = {
  /** What `platenote <command> --help` prints: what it does, its arguments, options and exit codes, and an example. */
  help: string
  /** Runs it; `process.exitCode` says how it went when that is not 0. */
  run(args: string[]): Promise<void>
}

/** Says in a few words how a command was called wrongly. */
export class UsageError extends Error {}
