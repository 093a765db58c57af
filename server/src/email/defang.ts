// It is thin, and white space by its Unicode category, so that link detection stops at it. A zero-width character would
// not do: some programs read it as part of a host name, and browsers drop it (UTS #46), which restores the link.
const HAIR_SPACE = '\u200a'

/**
 * Keeps mail programs from turning addresses in a stranger's text into links: a hair space splits whatever could be
 * read as an address, as in `https: //example. com`. Everything else stays as it was written.
 */
export const defang = (text: string): string =>
  text
    .replace(/(?<=\p{L}):(?=\S)|:(?=\/\/)/gu, `:${HAIR_SPACE}`)
    .replace(/@(?=\S)/gu, `@${HAIR_SPACE}`)
    // host names, with any character IDNA reads as a dot (RFC 3490 §3.1), and IPv4 addresses, but not 12.50
    .replace(
      /(?<=[\p{L}\p{N}_-])[.\u3002\uff0e\uff61](?=[\p{L}_-]|\p{N}+[.\u3002\uff0e\uff61]\p{N}|\p{N}+\p{L})/gu,
      `$&${HAIR_SPACE}`,
    )
