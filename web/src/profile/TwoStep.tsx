import type { Factor } from '@supabase/auth-js'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { FactorName, type FactorType, FactorTypeButtons, factorKind, factorName } from '~/auth/factors'
import { loadModule } from '~/lib/http/load-module'
import { verbatim } from '~/lib/i18n/verbatim'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Skeleton } from '~/ui/Skeleton'
import { ConfirmButton } from '~/ui/signed-in/ConfirmDialog'
import { Dialog } from '~/ui/signed-in/Dialog'
import { Loaded, LoadedPart } from '~/ui/signed-in/LoadedPart'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { ProfileSection } from './frame/ProfileSection.tsx'
import { accountEventsQuery, factorsQuery } from './queries.ts'

// loaded on demand: few people add one
const loadEnrolFactor = () => import('~/auth/second-factor/EnrolFactor')

/** Lists the second factors of the account, adds and removes them. */
export function TwoStep() {
  const query = useQuery(factorsQuery)
  const factors = query.data
  const [adding, setAdding] = useState<{ type: FactorType; open: boolean }>()

  const finishAdding = async () => {
    setAdding(adding && { ...adding, open: false })
    toast.success(m.factor_added())
    await reload()
  }
  return (
    <ProfileSection
      title={m.profile_two_step()}
      intro={m.profile_two_step_intro()}
      aside={factors && factors.length > 0 && <Badge tone="good">{m.profile_two_step_on()}</Badge>}
    >
      <div tabIndex={-1} className="grid gap-5 rounded-lg">
        <Loaded query={query} skeleton={<Skeleton className="h-26 w-full" />}>
          {(loaded) => (
            <>
              {loaded.length > 0 && (
                <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
                  {loaded.map((factor) => (
                    <FactorItem key={factor.id} factor={factor} isLast={loaded.length === 1} />
                  ))}
                </ul>
              )}
              <FactorTypeButtons onChoose={(type) => setAdding({ type, open: true })} />
            </>
          )}
        </Loaded>
      </div>
      {adding && (
        <Dialog
          open={adding.open}
          onOpenChange={(open) => setAdding({ ...adding, open })}
          title={adding.type === 'totp' ? m.factor_add_app() : m.factor_add_passkey()}
        >
          {/* starts over each time it is opened */}
          {adding.open && (
            <LoadedPart name="enrol factor" load={loadEnrolFactor} skeleton={<Skeleton className="h-12 w-full" />}>
              {({ EnrolFactor }) => (
                <EnrolFactor type={adding.type} factors={factors ?? []} onEnrolled={finishAdding} />
              )}
            </LoadedPart>
          )}
        </Dialog>
      )}
    </ProfileSection>
  )
}

/** Fetches the factors again, and the events of the account, among which a change of them is. */
async function reload() {
  await queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: accountEventsQuery.queryKey })
}

/** Shows one factor, and removes it after a confirmation. */
function FactorItem({ factor, isLast }: { factor: Factor; isLast: boolean }) {
  const Icon = factor.factor_type === 'totp' ? Smartphone : KeyRound
  const remove = async () => {
    try {
      const { removeFactor } = await loadModule(import('~/auth/second-factor/factor-calls'))
      await removeFactor(factor.id)
      toast.success(m.factor_removed())
    } catch (error) {
      toast.error(error)
    }
    void reload()
  }
  return (
    <li className="flex items-center gap-x-3 py-3">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-ink-soft" strokeWidth={1.75} />
      <div className="grid min-w-0 flex-1">
        <p id={`factor-${factor.id}`} className="font-bold">
          <FactorName factor={factor} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          {factorKind(factor.factor_type) !== factorName(factor) && <span>{factorKind(factor.factor_type)}</span>}
          <span>
            {m.factor_since()} <RelativeTime iso={factor.created_at} />
          </span>
        </p>
      </div>
      <ConfirmButton
        variant="ghost"
        className="-mr-4 text-danger!"
        aria-describedby={`factor-${factor.id}`}
        confirm={{
          title: verbatim(m.factor_remove_title({ name: factorName(factor) }), factorName(factor)),
          description: isLast ? m.factor_remove_last() : m.factor_remove_text(),
          confirmText: m.factor_remove(),
          pendingText: m.factor_removing(),
          onConfirm: remove,
        }}
      >
        {m.factor_remove()}
      </ConfirmButton>
    </li>
  )
}
