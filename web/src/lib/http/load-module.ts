import { ApiError } from '~/lib/http/api'
import { followRelease } from '~/lib/release/follow-release'

/** Waits for a module that only few users need, and throws `ApiError` when it cannot be loaded. */
export const loadModule = <T>(module: Promise<T>): Promise<T> =>
  module.catch(async (): Promise<never> => {
    await followRelease()
    throw new ApiError(0, undefined)
  })
