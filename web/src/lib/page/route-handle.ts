/** What a route module may say about itself in `export const handle`. */
export type RouteHandle = {
  /** A page of text: it is written without any script. */
  static?: boolean
  /** Where it is read (as `paths` writes it), when that is not the address it is written under. */
  canonicalPath?: string
  /** The addresses (`urlOf`) a page of the app reads first: the inline script asks for them while the rest loads. */
  prefetch?: string[]
}
