import { listDocuments, type SentDocument } from '#contract/documents.ts'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { endpointQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'

/**
 * Fetches what has arrived of the documents for a vehicle in a dispute, when it comes on the screen. No live update is a reason to
 * fetch it again: it may say that the vehicle is gone.
 */
export const documentsQuery = (vehicleId: string) => ({
  ...endpointQuery(['documents', vehicleId], listDocuments, { id: vehicleId }),
  staleTime: 'static' as const,
  gcTime: 0,
})

/** Fetches it again, after something was sent or taken back. */
export const reloadDocuments = (vehicleId: string): void =>
  void queryClient.fetchQuery({ ...documentsQuery(vehicleId), staleTime: 0 }).catch(() => {})

const MEGABYTE = 1_000_000
const KILOBYTE = 1_000

/** Formats a size as people read it: '340 kB', '2.4 MB'. */
function formatSize(bytes: number): string {
  const isLarge = bytes >= MEGABYTE
  return new Intl.NumberFormat(LANGUAGE_TAGS[getLocale()], {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(Math.max(bytes, KILOBYTE) / (isLarge ? MEGABYTE : KILOBYTE))
}

/** Describes a document by kind and size, since its file name is not stored: 'Photo, 340 kB'. */
export const documentText = ({ kind, size }: SentDocument): string =>
  kind === 'pdf' ? m.documents_pdf({ size: formatSize(size) }) : m.documents_photo({ size: formatSize(size) })
