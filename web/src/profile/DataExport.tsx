import { Download } from 'lucide-react'
import { exportData } from '#contract/profile.ts'
import { ApiError, authenticatedFetch } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { saveFile } from '~/lib/page/save-file'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { ProfileSection, sectionButtonClass } from './frame/ProfileSection.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

/** Downloads everything stored about the user as a file. Asks whether it is still them first when the session is not fresh. */
export function DataExport() {
  const { pending, failure, attempt } = useAttempt()
  const { withFreshSession, dialog } = useReauthentication(m.profile_again_text())
  const download = () =>
    withFreshSession(async (headers) => {
      await downloadExport(headers)
      toast.success(m.profile_data_done())
    })

  return (
    <ProfileSection title={m.profile_data()} intro={m.profile_data_intro()}>
      <AnnouncedFailure failure={failure} />
      <Button
        icon={Download}
        className={sectionButtonClass}
        pending={pending !== null}
        pendingText={m.profile_data_preparing()}
        onClick={() => void attempt(download)}
      >
        {m.profile_data_download()}
      </Button>
      {dialog}
    </ProfileSection>
  )
}

/**
 * Fetches everything stored about the user and saves it as a file (docs/export.md).
 *
 * @param headers with the access token of a fresh session, or none: the request uses the session of this browser
 * @throws ApiError `sign_in_again` when that session is too old; `network` also when the download breaks off
 */
async function downloadExport(headers: Record<string, string>): Promise<void> {
  const response = await authenticatedFetch(exportData.path, { method: exportData.method, headers, cache: 'no-store' })
  const file = await response.blob().catch(() => {
    throw new ApiError(0, undefined)
  })
  saveFile(file, parseFileName(response.headers.get('content-disposition')))
}

const parseFileName = (disposition: string | null) =>
  /filename="([\w.-]+)"/.exec(disposition ?? '')?.[1] ?? 'platenote.json'
