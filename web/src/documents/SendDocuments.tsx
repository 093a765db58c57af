import { useMutation } from '@tanstack/react-query'
import { CircleCheck, FileUp, MailCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type ArrivedDocuments,
  DOCUMENT_MAX_BYTES,
  deleteDocument,
  type SentDocument,
  uploadDocument,
} from '#contract/documents.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { call, errorMessage } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'
import { verbatim } from '~/lib/i18n/verbatim'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { CameraButton, FileButton, UploadProgress } from '~/ui/signed-in/FileButton'
import { documentsQuery, reloadDocuments } from './queries.ts'

/** The endings too: a browser that cannot show HEIC may not know its type. */
const ACCEPTED = 'image/jpeg,image/png,image/heic,image/heif,.heic,.heif,image/webp,image/avif,application/pdf'

/** What each side sends, in the order of its places on the server, which fills the first free one. */
const PLACES = [
  {
    label: m.documents_licence,
    hint: m.documents_licence_hint,
    missing: m.documents_licence_missing,
    readable: [m.documents_name, m.documents_address, m.documents_expiry],
    covered: [m.documents_photo_of_you, m.documents_number, m.documents_birth],
  },
  {
    label: m.documents_registration,
    hint: m.documents_registration_hint,
    missing: m.documents_registration_missing,
    readable: [m.documents_name, m.documents_address, m.documents_plate, m.documents_expiry, m.documents_vin_end],
    covered: [m.documents_number, m.documents_vin_start],
  },
]

type Props = {
  vehicleId: string
  plate: string
  documents: ArrivedDocuments
  /** Whether taking the last document back ends the registration at once. */
  endsWithoutDocuments: boolean
}

/** Lets one side of a dispute send its two documents, and shows that they arrived. Their content is never shown again. */
export function SendDocuments({ vehicleId, plate, documents: { items, mailed_at }, endsWithoutDocuments }: Props) {
  const [files, setFiles] = useState<Partial<Record<number, File>>>({})
  const [attempts, setAttempts] = useState(0)
  const { state, send, setState } = useSendDocuments(vehicleId)
  const removal = useRemoveDocument(vehicleId)
  const [toConfirm, setToConfirm] = useState<SentDocument | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const isSending = state.state === 'sending'
  const open = PLACES.map((_, i) => i + 1).filter((place) => !items.some((item) => item.place === place))
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [attempts])

  const choose = (place: number, file: File) => {
    setState({ state: 'idle' })
    setFiles({ ...files, [place]: file })
  }
  const submit = async () => {
    if (isSending) return
    const chosen = open.flatMap((place) => files[place] ?? [])
    if (chosen.length === open.length && (await send(open[0]!, chosen))) {
      setFiles({})
      form.current?.focus() // the pressed button has disappeared
    } else setAttempts((count) => count + 1)
  }
  const remove = (document: SentDocument) => {
    setAttempts(0)
    setState({ state: 'idle' })
    removal.mutate(document.id)
    form.current?.focus() // the pressed button disappears
  }
  const errorAt = (place: number) => {
    if (state.state === 'failed' && state.place === place) return state.error
    return attempts > 0 && !isSending && !files[place] ? PLACES[place - 1]!.missing() : undefined
  }
  return (
    <form
      ref={form}
      tabIndex={-1}
      aria-label={m.documents_send()}
      noValidate
      className="grid grid-cols-1 gap-4 outline-none"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p role="status" className="sr-only">
        {isSending && m.documents_sending()}
        {items.length > 0 && !isSending && m.documents_arrived()}
      </p>
      {mailed_at && <Ticked icon={MailCheck}>{m.documents_mailed({ time: formatDateTime(mailed_at) })}</Ticked>}
      {PLACES.map(({ label, hint, covered, readable }, i) => {
        const place = i + 1
        const arrived = items.find((item) => item.place === place)
        return (
          <div key={place} className="rounded-2xl border border-line bg-surface p-4">
            <Field
              label={label()}
              hint={
                !arrived && (
                  <>
                    {hint()} {m.documents_example()}
                    <span className="my-1.5 grid max-w-80 grid-flow-dense grid-cols-2 gap-x-4 gap-y-1.5 rounded-lg border border-line-strong bg-plate p-3 text-plate-ink">
                      {readable.map((text) => (
                        <span key={text()} className="col-start-2 border-b border-plate-ink/30">
                          {text()}
                        </span>
                      ))}
                      {covered.map((text) => (
                        <span key={text()} className="col-start-1 rounded-sm bg-plate-ink px-2 text-plate">
                          <span className="sr-only">{m.documents_covered()}</span> {text()}
                        </span>
                      ))}
                    </span>
                  </>
                )
              }
              error={arrived ? undefined : errorAt(place)}
            >
              {(control) =>
                arrived ? (
                  <div className="flex flex-wrap items-center justify-between gap-x-4">
                    <Ticked icon={CircleCheck}>
                      {m.documents_arrived_at({ time: formatDateTime(arrived.created_at) })}
                    </Ticked>
                    <Button
                      variant="ghost"
                      pending={removal.isPending && removal.variables === arrived.id}
                      onClick={() =>
                        endsWithoutDocuments && !mailed_at && items.length === 1
                          ? setToConfirm(arrived)
                          : remove(arrived)
                      }
                    >
                      {m.documents_remove()}
                      <span className="sr-only">{label()}</span>
                    </Button>
                  </div>
                ) : (
                  <div className="grid grid-cols-1 gap-3">
                    {isSending && state.place === place && (
                      <UploadProgress label={m.documents_sending()} share={state.progress} />
                    )}
                    {files[place] && (
                      <Ticked icon={CircleCheck}>
                        {verbatim(m.documents_chosen({ name: files[place].name }), files[place].name)}
                      </Ticked>
                    )}
                    <div className="flex flex-wrap gap-3">
                      <CameraButton disabled={isSending} onFile={(file) => choose(place, file)}>
                        {m.documents_camera()}
                      </CameraButton>
                      <FileButton
                        icon={FileUp}
                        control={control}
                        accept={ACCEPTED}
                        disabled={isSending}
                        onFile={(file) => choose(place, file)}
                      >
                        {files[place] ? m.documents_choose_other() : m.documents_choose()}
                      </FileButton>
                    </div>
                  </div>
                )
              }
            </Field>
          </div>
        )
      })}
      {open.length > 0 && (
        <Button type="submit" variant="primary" size="lg" pending={isSending} className="sm:justify-self-start">
          {m.documents_submit()}
        </Button>
      )}
      <ConfirmDialog
        open={toConfirm !== null}
        onOpenChange={(isOpen) => !isOpen && setToConfirm(null)}
        title={m.documents_remove_last_title()}
        description={verbatim(m.documents_remove_last_text({ plate }), plate)}
        confirmText={m.documents_remove_last()}
        onConfirm={() => {
          if (toConfirm) remove(toConfirm)
          setToConfirm(null)
        }}
      />
    </form>
  )
}

const Ticked = ({ icon: Icon, children }: { icon: typeof CircleCheck; children: ReactNode }) => (
  <p className="flex min-w-0 items-start gap-2 font-semibold wrap-anywhere text-good">
    <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
    {children}
  </p>
)

/** Deletes a document that was sent. */
function useRemoveDocument(vehicleId: string) {
  return useMutation({
    mutationFn: (id: string) => call(deleteDocument, { id }, { withTimeout: true }),
    onSuccess: () => toast.success(m.documents_removed()),
    onSettled: () => reloadDocuments(vehicleId),
  })
}

/** What the form shows of an upload. */
type SendState =
  | { state: 'idle' }
  | { state: 'sending'; place: number; progress: number }
  | { state: 'failed'; place: number; error: string }

const isPdf = ({ type, name }: File) => type === 'application/pdf' || (type === '' && /\.pdf$/i.test(name))

/** Sends documents of a vehicle in a dispute one after the other, into the free places from the first on. */
function useSendDocuments(vehicleId: string) {
  const [state, setState] = useState<SendState>({ state: 'idle' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  /** Returns whether all of them have arrived; one that fails keeps the others from taking its place. */
  async function send(first: number, files: File[]): Promise<boolean> {
    controller.current = new AbortController()
    const { signal } = controller.current
    let place = first
    try {
      // the code that resizes is loaded when something is sent; a PDF stays as it is
      const { shrinkImage, uploadFile } = await loadModule(import('~/attachments/upload-file'))
      for (const file of files) {
        setState({ state: 'sending', place, progress: 0 })
        const document = isPdf(file) ? file : await shrinkImage(file)
        if (document.size > DOCUMENT_MAX_BYTES) {
          setState({ state: 'failed', place, error: m.refusal_document_too_large() })
          return false
        }
        const sent = await uploadFile<SentDocument>(uploadDocument.path.replace(':id', vehicleId), document, {
          signal,
          onProgress: (progress) => setState({ state: 'sending', place, progress }),
        })
        queryClient.setQueryData(documentsQuery(vehicleId).queryKey, (known) =>
          known ? { ...known, items: [...known.items, sent] } : known,
        )
        place++
      }
      setState({ state: 'idle' })
      return true
    } catch (error) {
      if (!signal.aborted) setState({ state: 'failed', place, error: errorMessage(error) })
      return false
    } finally {
      if (!signal.aborted) reloadDocuments(vehicleId)
    }
  }
  return { state, send, setState }
}
