import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileCheck, FileUp, MailCheck } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import {
  type ArrivedDocuments,
  DOCUMENT_MAX_BYTES,
  DOCUMENTS_MAX,
  deleteDocument,
  type SentDocument,
  uploadDocument,
} from '#contract/documents.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { call, errorMessage } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'
import { verbatim } from '~/lib/i18n/verbatim'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { FieldError } from '~/ui/Field'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { CameraButton, FileButton, UploadProgress } from '~/ui/signed-in/FileButton'
import { documentsQuery, documentText, reloadDocuments } from './queries.ts'

/** The endings too: a browser that cannot show HEIC may not know its type. */
const ACCEPTED = 'image/jpeg,image/png,image/heic,image/heif,.heic,.heif,image/webp,image/avif,application/pdf'

type Props = {
  vehicleId: string
  plate: string
  documents: ArrivedDocuments
  sending: ReturnType<typeof useSendDocument>
  /** Whether taking the last document back ends the registration at once. */
  endsWithoutDocuments: boolean
  /** Moves the focus when the button in use is about to disappear. */
  onRemove: () => void
}

/** Lets one side of a dispute send its two documents, and shows that they arrived. Their content is never shown again. */
export function SendDocuments({ vehicleId, plate, documents, sending, endsWithoutDocuments, onRemove }: Props) {
  const { items, mailed_at } = documents
  const { state, reset } = sending
  return (
    <>
      {items.length > 0 && (
        <ArrivedList
          vehicleId={vehicleId}
          plate={plate}
          items={items}
          confirmLast={endsWithoutDocuments && !mailed_at}
          onRemove={() => {
            reset()
            onRemove()
          }}
        />
      )}
      {mailed_at && (
        <p className="flex items-start gap-2 font-semibold text-good">
          <MailCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          {m.documents_mailed({ time: formatDateTime(mailed_at) })}
        </p>
      )}
      {state.state === 'sending' && <UploadProgress label={m.documents_sending()} share={state.progress} />}
      {items.length < DOCUMENTS_MAX && <SendButtons isFirst={items.length === 0} sending={sending} />}
    </>
  )
}

function SendButtons({ isFirst, sending: { state, send } }: Pick<Props, 'sending'> & { isFirst: boolean }) {
  const isSending = state.state === 'sending'
  const onFile = (file: File) => void send(file)
  const errorId = useId()
  const error = state.state === 'idle' ? state.error : undefined
  const control = { 'aria-invalid': error ? (true as const) : undefined, 'aria-describedby': error && errorId }
  return (
    <div>
      <div className="flex flex-wrap gap-3">
        <CameraButton control={control} disabled={isSending} onFile={onFile}>
          {m.documents_camera()}
        </CameraButton>
        <FileButton
          control={control}
          variant={isFirst ? 'primary' : 'secondary'}
          accept={ACCEPTED}
          disabled={isSending}
          onFile={onFile}
        >
          <FileUp aria-hidden="true" className="size-5" />
          {isFirst ? m.documents_choose() : m.documents_choose_second()}
        </FileButton>
      </div>
      <div role="alert" className="not-empty:mt-2">
        <FieldError id={errorId} text={error} />
      </div>
    </div>
  )
}

type ArrivedListProps = Pick<Props, 'vehicleId' | 'plate' | 'onRemove'> & {
  items: SentDocument[]
  confirmLast: boolean
}

function ArrivedList({ vehicleId, plate, items, confirmLast, onRemove }: ArrivedListProps) {
  const { mutate, isPending, variables } = useRemoveDocument(vehicleId)
  const [toConfirm, setToConfirm] = useState<string | null>(null)
  const remove = (id: string) => {
    onRemove()
    mutate(id)
  }
  return (
    <>
      <ul className="grid gap-2">
        {items.map((document, index) => (
          <li
            key={document.id}
            className="flex flex-wrap items-center justify-between gap-x-4 rounded-lg bg-sunken py-1 pr-1 pl-3"
          >
            <span className="flex min-w-0 items-start gap-2 py-2">
              <FileCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-good" />
              <span className="grid">
                <span className="font-semibold">{documentText(document)}</span>
                <span className="text-sm text-ink-soft">
                  {m.documents_arrived_at({ time: formatDateTime(document.created_at) })}
                </span>
              </span>
            </span>
            <Button
              variant="ghost"
              className="ml-auto"
              pending={isPending && variables === document.id}
              onClick={() => (confirmLast && items.length === 1 ? setToConfirm(document.id) : remove(document.id))}
            >
              {m.documents_remove()}
              <span className="sr-only">{index + 1}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={toConfirm !== null}
        onOpenChange={(open) => !open && setToConfirm(null)}
        title={m.documents_remove_last_title()}
        description={verbatim(m.documents_remove_last_text({ plate }), plate)}
        confirmText={m.documents_remove_last()}
        onConfirm={() => {
          if (toConfirm) remove(toConfirm)
          setToConfirm(null)
        }}
      />
    </>
  )
}

/** Deletes a document that was sent. */
function useRemoveDocument(vehicleId: string) {
  const queries = useQueryClient()
  const { queryKey } = documentsQuery(vehicleId)
  return useMutation({
    mutationFn: (id: string) => call(deleteDocument, { id }, { withTimeout: true }),
    onSuccess: (_, removedId) => {
      queries.setQueryData(queryKey, (known) =>
        known ? { ...known, items: known.items.filter(({ id }) => id !== removedId) } : known,
      )
      toast.success(m.documents_removed())
    },
    onSettled: () => reloadDocuments(queries, vehicleId),
  })
}

/** What the panel shows of an upload. */
type SendState = { state: 'idle'; error?: string } | { state: 'sending'; progress: number } | { state: 'sent' }

const isPdf = ({ type, name }: File) => type === 'application/pdf' || (type === '' && /\.pdf$/i.test(name))

/** Sends one document after the other for a vehicle in a dispute. */
export function useSendDocument(vehicleId: string) {
  const queries = useQueryClient()
  const [state, setState] = useState<SendState>({ state: 'idle' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function send(file: File) {
    controller.current?.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    const show = (next: SendState) => {
      if (!signal.aborted) setState(next)
    }
    show({ state: 'sending', progress: 0 })
    try {
      // the code that resizes is loaded when something is sent; a PDF stays as it is
      const { shrinkImage, uploadFile } = await loadModule(import('~/attachments/upload-file'))
      const document = isPdf(file) ? file : await shrinkImage(file)
      if (document.size > DOCUMENT_MAX_BYTES) return show({ state: 'idle', error: m.refusal_document_too_large() })
      const sent = await uploadFile<SentDocument>(uploadDocument.path.replace(':id', vehicleId), document, {
        signal,
        onProgress: (progress) => show({ state: 'sending', progress }),
      })
      queries.setQueryData(documentsQuery(vehicleId).queryKey, (known) =>
        known ? { ...known, items: [...known.items, sent] } : known,
      )
      return show({ state: 'sent' })
    } catch (error) {
      return show({ state: 'idle', error: errorMessage(error) })
    } finally {
      if (!signal.aborted) reloadDocuments(queries, vehicleId)
    }
  }
  return { state, send, reset: () => setState({ state: 'idle' }) }
}
