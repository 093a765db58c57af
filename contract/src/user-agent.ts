// chunk: account (the list of sessions, and the name of a new factor)

export type UserAgent = { browser?: string; system?: string }

type NamePatterns = [name: string, pattern: RegExp][]

/** Most browsers also name others, so the most specific names come first. */
const BROWSERS: NamePatterns = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
]

const SYSTEMS: NamePatterns = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

const matchName = (names: NamePatterns, userAgent: string) => names.find(([, pattern]) => pattern.test(userAgent))?.[0]

/** Returns the browser and the system that a `User-Agent` header (RFC 9110 §10.1.5) names, where they are known. */
export function parseUserAgent(userAgent: string | null): UserAgent {
  const browser = matchName(BROWSERS, userAgent ?? '')
  const system = matchName(SYSTEMS, userAgent ?? '')
  return { ...(browser && { browser }), ...(system && { system }) }
}
