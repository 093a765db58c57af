/** What a route module may say about itself in `export const handle`. */
export type RouteHandle = {
  /** A page of text: it is written without any script. */
  static?: boolean
}
