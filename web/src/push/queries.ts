import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { addPushDevice, changePush, getPush, removePushDevice, testPush } from '#contract/push.ts'
import { ApiError, call } from '~/lib/api'
import { deviceEndpoint, deviceState, forgetDevice, setDeviceOwner, subscribe } from '~/lib/push-device'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'

/** The server's side: its key, and what pushes may show. */
export const pushQuery = queryOptions({
  queryKey: ['push', 'server'],
  queryFn: ({ signal }) => call(getPush, {}, { signal }),
})

/** The browser's side; asked again when the person comes back, from its settings for example. */
export const deviceQuery = (userId: string) =>
  queryOptions({
    queryKey: ['push', 'device', userId],
    queryFn: () => deviceState(userId),
    networkMode: 'always',
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Asks the person for permission, then tells the server. To be called from a press of a button. */
export function useSwitchOn(userId: string, publicKey: string) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      if ((await Notification.requestPermission()) !== 'granted') return
      try {
        await call(addPushDevice, await subscribe(publicKey))
      } catch (error) {
        await forgetDevice()
        throw error instanceof ApiError ? error : new Error(m.profile_push_failed())
      }
      setDeviceOwner(userId)
      toast.success(m.profile_push_is_on())
    },
    onError: (error) => toast.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: deviceQuery(userId).queryKey }),
  })
}

export function useSwitchOff(userId: string) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const endpoint = await deviceEndpoint()
      if (endpoint !== null) await call(removePushDevice, { endpoint }).catch(unlessGone)
      await forgetDevice()
      toast.success(m.profile_push_is_off())
    },
    onError: (error) => toast.error(error),
    onSettled: () => queries.invalidateQueries({ queryKey: deviceQuery(userId).queryKey }),
  })
}

/** Sends a test to this device; one the server knows no more is off here too. */
export function useTestPush(userId: string) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(testPush, {}),
    onSuccess: () => toast.success(m.profile_push_test_sent()),
    onError: async (error) => {
      const isGone = error instanceof ApiError && ['not_found', 'push_device_gone'].includes(error.code)
      toast.error(isGone ? m.profile_push_gone() : error)
      if (!isGone) return
      await forgetDevice()
      await queries.invalidateQueries({ queryKey: deviceQuery(userId).queryKey })
    },
  })
}

/** Whether pushes show what other people write: the screen changes at once, and back when the server refuses. */
export function useShowText() {
  const queries = useQueryClient()
  const { queryKey } = pushQuery
  const show = (message_text: boolean) => queries.setQueryData(queryKey, (state) => state && { ...state, message_text })
  return useMutation({
    scope: { id: 'push-text' },
    networkMode: 'always',
    mutationFn: (message_text: boolean) => call(changePush, { message_text }),
    onMutate: async (message_text) => {
      await queries.cancelQueries({ queryKey, exact: true })
      show(message_text)
    },
    onError: (error, message_text) => {
      show(!message_text)
      toast.error(error)
    },
  })
}

function unlessGone(error: unknown) {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error
}
