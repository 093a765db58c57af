import { MINUTE_MS } from '#contract/time.ts'

/** Saves content as a file of this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), MINUTE_MS) // Safari reads it some time after the click
}
