import { ApiError } from '~/lib/http/api'

/** Waits for a module that only few users need, and throws `ApiError` when it cannot be loaded. */
export const loadModule = <T>(module: Promise<T>): Promise<T> =>
  module.catch(async (): Promise<never> => {
    await followRelease()
    throw new ApiError(0, undefined)
  })

/** Reloads the page where the server has another release by now (lib/release/missing-code.ts), and returns otherwise. */
export const followRelease = (): Promise<void> =>
  import('~/lib/release/missing-code').then(
    (release) => release.reloadForRelease(),
    () => undefined,
  )
