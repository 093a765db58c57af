// thin, and white space by its Unicode category: what looks for links stops at it, while zero-width characters are
// part of a host name to some and dropped by browsers (UTS #46), which would make the link whole again
const HAIR_SPACE = '\u200a'

/**
 * A stranger's text so that no mail program makes a link of an address in it. A hair space parts what would be read as
 * one: `https: //example. com`. Everything else stays as it was written.
 */
export const defang = (text: string): string =>
  text
    .replace(/(?<=\p{L}):(?=\S)|:(?=\/\/)/gu, `:${HAIR_SPACE}`)
    .replace(/@(?=\S)/gu, `@${HAIR_SPACE}`)
    // host names, also with the other dots IDNA reads as one (RFC 3490 §3.1), and IPv4 addresses; not 12.50
    .replace(
      /(?<=[\p{L}\p{N}_-])[.\u3002\uff0e\uff61](?=[\p{L}_-]|\p{N}+[.\u3002\uff0e\uff61]\p{N}|\p{N}+\p{L})/gu,
      `$&${HAIR_SPACE}`,
    )
