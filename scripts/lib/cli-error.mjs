/** An error whose message is all a person needs to read: commands print it in one line, without a stack. */
export class CliError extends Error {}

/** Runs a command's main function; a Stop ends it with its one line, anything else with its stack. */
export async function runCommand(main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof CliError ? `\nPlateNote: ${error.message}` : error)
    process.exit(1)
  }
}
