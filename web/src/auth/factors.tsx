import type { Factor, GoTrueClient, User } from '@supabase/auth-js'
import { KeyRound, Smartphone } from 'lucide-react'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

/*
 * Lists and names second factors: authenticator apps and passkeys. The calls about them are in factor-calls.ts, which is
 * loaded with the first one.
 */

export type FactorType = 'totp' | 'webauthn'

/** A client whose session is to be verified; by default that of this browser. */
export type FactorClient = Pick<GoTrueClient, 'mfa'>

/** Returns the factors that a user signs in with. */
export const verifiedFactors = (user: Pick<User, 'factors'> | null): Factor[] =>
  (user?.factors ?? []).filter(({ status, factor_type }) => status === 'verified' && factor_type in FACTOR_NAMES)

const FACTOR_NAMES: Record<string, () => string> = { totp: m.factor_app, webauthn: m.factor_passkey }

/** Names a factor as its person does, or by its kind. */
export const factorName = ({ friendly_name, factor_type }: Pick<Factor, 'friendly_name' | 'factor_type'>): string =>
  friendly_name || factorKind(factor_type)

/** Shows the name of a factor: what its person calls it stays as it is, its kind may be translated. */
export const FactorName = ({ factor }: { factor: Factor }) => verbatim(factorName(factor), factor.friendly_name ?? '')

/** Names the kind of a factor. */
export const factorKind = (type: string): string => FACTOR_NAMES[type]?.() ?? type

/** Returns whether this browser can create and use passkeys. */
export const supportsPasskeys = (): boolean => typeof PublicKeyCredential !== 'undefined' && 'credentials' in navigator

/** Lets the user choose the kind of a new second factor. */
export function FactorTypeButtons({ onChoose }: { onChoose: (type: FactorType) => void }) {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
      <Button icon={Smartphone} className="grow text-left!" onClick={() => onChoose('totp')}>
        {m.factor_add_app()}
      </Button>
      {supportsPasskeys() && (
        <Button icon={KeyRound} className="grow text-left!" onClick={() => onChoose('webauthn')}>
          {m.factor_add_passkey()}
        </Button>
      )}
    </div>
  )
}
