// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the token says
type JwtPart = any

const decodePart = (token: string, index: number): JwtPart =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())

/** Decodes the header of a JWT, without verifying it. */
export const decodeHeader = (token: string): JwtPart => decodePart(token, 0)

/** Decodes the claims of a JWT, without verifying it. */
export const decodeClaims = (token: string): JwtPart => decodePart(token, 1)

/** Encodes a header or claims as a part of a JWT. */
export const encodeJwtPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
