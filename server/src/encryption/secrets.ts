import { createHash, randomBytes } from 'node:crypto'

// Secrets of links and refresh tokens.

/** Generates 32 random bytes in base64url: a refresh token, the token of a link, the name of a file. */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

/** Returns whether a text has the format of `generateSecret`. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** Hashes a secret for storage. It has 256 random bits, so a plain hash is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
