const intervalMs = 10_000

/**
 * Shows progress on stderr: `label… 12 s`. A terminal sees the seconds count on one line; a log file
 * gets a line at the start, one every 10 seconds and one at the end. Returns a function that ends it.
 */
export function startProgress(label) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  const terminal = process.stderr.isTTY
  const show = () => process.stderr.write(terminal ? `\r${label}… ${seconds()} s` : `${label}… ${seconds()} s\n`)
  process.stderr.write(terminal ? `${label}…` : `${label}…\n`)
  const timer = setInterval(show, terminal ? 1000 : intervalMs)
  return (outcome = 'done') => {
    clearInterval(timer)
    process.stderr.write(`${terminal ? '\r' : ''}${label}: ${outcome} (${seconds()} s)\n`)
  }
}
