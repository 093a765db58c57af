import { reloadForRelease } from '~/lib/form/reload-for-release'
import { ApiError } from '~/lib/http/api'

/** Waits for a module that only few users need, and throws `ApiError` when it cannot be loaded. */
export const loadModule = <T>(module: Promise<T>): Promise<T> =>
  module.catch(async (): Promise<never> => {
    await reloadForRelease()
    throw new ApiError(0, undefined)
  })
