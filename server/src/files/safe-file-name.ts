/** Letters, digits, hyphens and underlines, with one ending: nothing that could leave a folder. */
const SAFE_NAME = /^[\w-]{8,128}(\.[a-z0-9]{1,8})?$/

/** The name itself. Names are ours; any other one is a fault and throws. */
export function assertSafeFileName(name: string): string {
  if (!SAFE_NAME.test(name)) throw new Error('not a name of an attachment file')
  return name
}
