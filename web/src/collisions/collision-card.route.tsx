import type { ReactNode } from 'react'
import { type CollisionCard, getCollisionCard } from '#contract/collisions.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { getLocale } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { CopyEntry, CopyPage } from './CopyPage.tsx'

export const meta = () => privatePageMeta(m.collision_page_title())

/** Renders /dashboard/collision-card?id=…: the card of particulars of a message, to read, print or save. */
export default function CollisionCardPage() {
  return (
    <CopyPage
      endpoint={getCollisionCard}
      back={{ text: m.collision_page_back(), to: (id) => paths.messages('received', id) }}
      title={m.collision_page_title()}
      intro={m.collision_not_a_report}
      gone={m.collision_page_gone()}
      made={(date) => m.collision_page_printed({ date, product: PRODUCT })}
      print={m.collision_page_print()}
    >
      {(card) => <Card card={card} />}
    </CopyPage>
  )
}

function Card({ card }: { card: CollisionCard }) {
  const { name, phone, address, insurer, policy, plate } = card.particulars
  const kept = (typed: string | null) => typed && <span translate="no">{typed}</span>
  const entries: [string, ReactNode][] = [
    [m.collision_name(), kept(name)],
    [m.collision_phone(), kept(phone)],
    [m.collision_address(), kept(address)],
    [m.collision_insurer(), kept(insurer)],
    [m.collision_policy(), kept(policy)],
    [m.collision_plate(), kept(plate)],
    [m.collision_page_vehicle(), kept(card.plate)],
    [m.collision_page_where(), provinceName(card.province, getLocale())],
    [m.collision_page_at(), formatDateTime(card.sent_at)],
    [m.collision_page_number(), kept(card.id)],
  ]
  return (
    <>
      <dl className="grid gap-5">
        {entries.map(
          ([label, value]) =>
            value !== null && (
              <CopyEntry key={label} name={label} className="font-bold">
                {value}
              </CopyEntry>
            ),
        )}
      </dl>
      {card.photos.length > 0 && (
        <div className="grid gap-4 pt-6">
          {card.photos.map((photo, i) => (
            <img
              key={photo.slice(-64)}
              src={photo}
              alt={m.collision_photo({ number: i + 1 })}
              className="max-h-[24rem] max-w-full break-inside-avoid-page rounded-lg"
            />
          ))}
        </div>
      )}
    </>
  )
}
