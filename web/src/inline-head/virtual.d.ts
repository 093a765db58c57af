declare module 'virtual:inline-head' {
  /** The bundled script of inline-head/index.ts, as web/inline-head.ts makes it. */
  export const INLINE_HEAD_SCRIPT: string
}

declare module 'virtual:plain-form-script' {
  /** The address of the bundled script of plain-forms.ts, as web/plain-form-script.ts makes it. */
  export const PLAIN_FORM_SCRIPT: string
}
