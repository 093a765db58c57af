import { queryOptions, useMutation } from '@tanstack/react-query'
import {
  deletePushSubscription,
  getPushSettings,
  savePushSubscription,
  sendTestPush,
  updatePushSettings,
} from '#contract/push.ts'
import { ApiError, call } from '~/lib/http/api'
import {
  getPushEndpoint,
  getPushStatus,
  setPushOwner,
  subscribeToPush,
  unsubscribeFromPush,
} from '~/lib/push/push-subscription'
import { useOptimisticMutation } from '~/lib/query/mutations'
import { endpointQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'

/** Fetches the server's settings: its key, and what pushes may show. */
export const pushSettingsQuery = endpointQuery(['push', 'server'], getPushSettings, {})

/** Reads the state of push in this browser, again when the user returns to the page, for example from the browser's settings. */
export const pushStatusQuery = (userId: string) =>
  queryOptions({
    queryKey: ['push', 'device', userId],
    queryFn: () => getPushStatus(userId),
    networkMode: 'always',
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Prompts for permission, then subscribes on the server. Call it from a click handler: browsers do not prompt otherwise. */
export function useEnablePush(userId: string, publicKey: string) {
  return useMutation({
    mutationFn: async () => {
      if ((await Notification.requestPermission()) !== 'granted') return
      try {
        const settings = queryClient.getQueryData(pushSettingsQuery.queryKey)
        await call(savePushSubscription, await subscribeToPush(publicKey, settings?.renewal_token))
      } catch (error) {
        await unsubscribeFromPush()
        throw error instanceof ApiError ? error : new Error(m.push_failed())
      }
      setPushOwner(userId)
      toast.success(m.push_is_on())
    },
    onError: (error) => toast.error(error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushStatusQuery(userId).queryKey }),
  })
}

/** Deletes the subscription on the server, then ends push in this browser. */
export function useDisablePush(userId: string) {
  return useMutation({
    mutationFn: async () => {
      const endpoint = await getPushEndpoint()
      if (endpoint !== null) await call(deletePushSubscription, { endpoint }).catch(ignoreNotFound)
      await unsubscribeFromPush()
      toast.success(m.push_is_off())
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushStatusQuery(userId).queryKey }),
  })
}

/** Sends a test to this device; disables push here when the server no longer has its subscription. */
export function useTestPush(userId: string) {
  return useMutation({
    mutationFn: () => call(sendTestPush, {}),
    onSuccess: () => toast.success(m.push_test_sent()),
    onError: async (error) => {
      const isGone = error instanceof ApiError && ['not_found', 'push_device_gone'].includes(error.code)
      toast.error(isGone ? m.push_gone() : error)
      if (!isGone) return
      await unsubscribeFromPush()
      await queryClient.invalidateQueries({ queryKey: pushStatusQuery(userId).queryKey })
    },
  })
}

/** Changes whether pushes show what other users write. The screen changes at once, and back when the server refuses. */
export function useSetPushText() {
  const { queryKey } = pushSettingsQuery
  const show = (message_text: boolean) =>
    queryClient.setQueryData(queryKey, (state) => state && { ...state, message_text })
  return useOptimisticMutation({
    mutationKey: ['push', 'text'],
    scope: { id: 'push-text' },
    mutationFn: (message_text: boolean) => call(updatePushSettings, { message_text }),
    queryKey,
    show(message_text) {
      show(message_text)
      return () => show(!message_text)
    },
  })
}

function ignoreNotFound(error: unknown) {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error
}
