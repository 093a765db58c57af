import { decideReport, type OpenedReport, type ReportAction } from '#contract/inbox.ts'
import { withFreshFactor } from '~/admin/frame/step-up'
import { saveDraft } from '~/lib/form/drafts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { delayAction } from './delayed-actions.ts'
import { actionTexts, reportTitle } from './inbox-texts.ts'

/** What an admin decides about a report that they have opened. */
type ReportDecision = { opened: OpenedReport; action: ReportAction; reason: string; days?: number | undefined }

/** Returns the name of the draft of a reason, which is stored until the decision has been sent: it may be undone, or fail. */
export const reasonDraft = (id: string) => `report-decision:${id}`

/** Delays a decision about a report, and sends it when nobody has undone it. */
export const delayDecision = ({ opened, action, reason, days }: ReportDecision) =>
  delayAction({
    kind: 'report',
    opened,
    title: `${actionTexts(action, opened.side).button()} · ${reportTitle(opened)}`,
    async send() {
      const { id, side, reports } = opened
      const input = { id, action, reason, reports_read: reports.length, ...(days !== undefined && { days }) }
      const { state } = await withFreshFactor(() => call(decideReport, input, { withTimeout: true }))
      saveDraft(reasonDraft(id), undefined)
      toast.success(actionTexts(action, side).done())
      if (state === 'open') toast.warning(m.inbox_still_open())
    },
  })
