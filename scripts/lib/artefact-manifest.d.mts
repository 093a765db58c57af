/** The types of artefact-manifest.mjs, for TypeScript. */
export const serverFlags: string[]
