declare module 'virtual:inline-head' {
  /** The bundled script of inline-head/index.ts, as web/inline-head.ts makes it. */
  export const INLINE_HEAD_SCRIPT: string
}
