/** Ends a command with a message that says it all: it is printed in one line, without a stack. */
export class CliError extends Error {}

/** Runs a command's main function; a CliError ends it with one line, anything else with its stack. */
export async function runCommand(main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof CliError ? `\nPlateNote: ${error.message}` : error)
    process.exit(1)
  }
}
