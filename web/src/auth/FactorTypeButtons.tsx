import { KeyRound, Smartphone } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { type FactorType, supportsPasskeys } from './factors.ts'

/** Lets the user choose the kind of a new second factor. */
export function FactorTypeButtons({ onChoose }: { onChoose: (type: FactorType) => void }) {
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
      <Button className="grow text-left!" onClick={() => onChoose('totp')}>
        <Smartphone aria-hidden="true" className="size-5" />
        {m.factor_add_app()}
      </Button>
      {supportsPasskeys() && (
        <Button className="grow text-left!" onClick={() => onChoose('webauthn')}>
          <KeyRound aria-hidden="true" className="size-5" />
          {m.factor_add_passkey()}
        </Button>
      )}
    </div>
  )
}
