import { useMutation } from '@tanstack/react-query'
import { FileDown, Image } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { openDocument, type SentDocument } from '#contract/documents.ts'
import { documentText } from '~/documents/document-text'
import { authenticatedFetch } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { DateTime } from '~/ui/signed-in/RelativeTime'

const ImageViewer = lazy(() => import('~/attachments/ImageViewer').then((module) => ({ default: module.ImageViewer })))

type Props = {
  arrivedAt: string | null
  documents: SentDocument[]
  plate: string
  /** Names the side to screen readers. */
  side: string
}

/** Shows when the documents of one side arrived, and opens the uploaded ones: photos here, PDFs as files only. */
export function SideDocuments({ arrivedAt, documents, plate, side }: Props) {
  const [image, setImage] = useState<string | null>(null)
  const close = () => {
    if (image) URL.revokeObjectURL(image)
    setImage(null)
  }
  const { mutate, isPending, variables } = useMutation({
    mutationFn: fetchDocument,
    networkMode: 'always',
    onSuccess: (address, { kind }) => {
      if (kind === 'pdf') saveDocument(address, `${plate}.pdf`)
      else setImage(address)
    },
    onError: (error) => toast.error(error),
  })
  return (
    <div>
      <dt className="text-sm text-ink-soft">{m.documents_of_side()}</dt>
      <dd className="grid gap-2">
        <span>
          {arrivedAt ? (
            <>
              {m.documents_side_arrived()} <DateTime iso={arrivedAt} />
            </>
          ) : (
            m.documents_side_none()
          )}
        </span>
        {documents.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {documents.map((document, index) => (
              <li key={document.id}>
                <Button pending={isPending && variables.id === document.id} onClick={() => mutate(document)}>
                  {document.kind === 'pdf' ? (
                    <FileDown aria-hidden="true" className="size-5" />
                  ) : (
                    <Image aria-hidden="true" className="size-5" />
                  )}
                  {m.documents_open({ number: index + 1, document: documentText(document) })}
                  <span className="sr-only">{side}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {documents.length > 0 && <span className="text-sm text-ink-soft">{m.documents_audited()}</span>}
        {image && (
          <Suspense>
            <ImageViewer url={image} open onOpenChange={close} />
          </Suspense>
        )}
      </dd>
    </div>
  )
}

/**
 * Fetches a document of a dispute, which is recorded. Returns the address of its content in this page, which ends with
 * `URL.revokeObjectURL` and with the page: no link to it exists that somebody else could follow.
 */
async function fetchDocument({ id }: SentDocument): Promise<string> {
  const response = await authenticatedFetch(openDocument.path.replace(':id', id), { method: openDocument.method })
  return URL.createObjectURL(await response.blob())
}

/** Saves a document that was fetched as a file, without showing it. */
function saveDocument(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}
