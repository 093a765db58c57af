import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { DOCUMENT_MAX_BYTES, type SentDocument, uploadDocument } from '#contract/documents.ts'
import { errorMessage } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'
import { m } from '~/paraglide/messages'
import { documentsQuery, reloadDocuments } from './queries.ts'

/** What the panel shows of an upload. */
type SendState = { state: 'idle'; error?: string } | { state: 'sending'; progress: number } | { state: 'sent' }

const isPdf = ({ type, name }: File) => type === 'application/pdf' || (type === '' && /\.pdf$/i.test(name))

class DocumentTooLargeError extends Error {}

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
      const sent = await upload(vehicleId, file, signal, (progress) => show({ state: 'sending', progress }))
      queries.setQueryData(documentsQuery(vehicleId).queryKey, (known) =>
        known ? { ...known, items: [...known.items, sent] } : known,
      )
      show({ state: 'sent' })
    } catch (error) {
      show({ state: 'idle', error: uploadErrorText(error) })
    } finally {
      if (!signal.aborted) reloadDocuments(queries, vehicleId)
    }
  }
  return { state, send, reset: () => setState({ state: 'idle' }) }
}

/** Uploads a PDF unchanged, and a photo resized. The code that resizes is loaded when a photo is sent. */
async function upload(vehicleId: string, file: File, signal: AbortSignal, onProgress: (share: number) => void) {
  const { shrinkImage, uploadFile } = await loadModule(import('~/attachments/upload-file'))
  const document = isPdf(file) ? file : await shrinkImage(file)
  if (document.size > DOCUMENT_MAX_BYTES) throw new DocumentTooLargeError()
  return uploadFile<SentDocument>(uploadDocument.path.replace(':id', vehicleId), document, { signal, onProgress })
}

const uploadErrorText = (error: unknown): string =>
  error instanceof DocumentTooLargeError ? m.documents_too_large() : errorMessage(error)
