import { m } from '~/paraglide/messages'

/** Says what follows from a browser that stores nothing; the inline head script knows whether it does, before the first paint. */
export const StoresNothingSentence = () => (
  <p className="hidden pt-1 font-bold text-ink stores-nothing:block">{m.login_stores_nothing()}</p>
)
