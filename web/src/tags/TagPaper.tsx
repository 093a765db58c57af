import { encode } from 'uqr'
import type { Locale } from '#contract/product.ts'
import { Logo } from '~/ui/Logo'

/** The texts of the printed card, which strangers read: in both languages, that of the page first. */
const TEXTS: Record<Locale, { title: string; how: string; typed: string; note: string }> = {
  en: {
    title: 'Is something up with this vehicle?',
    how: 'Scan the code and tell me.',
    typed: 'or enter the digits at',
    note: 'No account, no phone number, anonymous for both of us.',
  },
  'fr-CA': {
    title: 'Un souci avec ce véhicule?',
    how: 'Balayez le code et dites-le-moi.',
    typed: 'ou entrez les chiffres sur',
    note: 'Sans compte ni numéro de téléphone, anonyme pour nous deux.',
  },
}

type Props = { url: string; digits: string; size: string; locale: Locale }

/** Draws the card that lies behind the windshield. Nothing on it names the vehicle or its owner. */
export function TagPaper({ url, digits, size, locale }: Props) {
  const other: Locale = locale === 'en' ? 'fr-CA' : 'en'
  const host = url.replace(/^https?:\/\//, '').replace(/\/t\/.*$/, '/t')
  return (
    <div className={`tag-paper tag-paper-${size}`}>
      <div className="tag-paper-frame">
        <span className="tag-paper-logo" aria-hidden="true">
          <Logo />
        </span>
        <p className="tag-paper-title">{TEXTS[locale].title}</p>
        <p className="tag-paper-other" lang={other}>
          {TEXTS[other].title}
        </p>
        <QrCode text={url} />
        <p className="tag-paper-how">{TEXTS[locale].how}</p>
        <p className="tag-paper-other" lang={other}>
          {TEXTS[other].how}
        </p>
        <p className="tag-paper-digits">
          <span>
            {TEXTS[locale].typed} {host}
          </span>
          <strong>
            {digits.slice(0, 4)} {digits.slice(4)}
          </strong>
        </p>
        <p className="tag-paper-note">{TEXTS[locale].note}</p>
        <p className="tag-paper-note" lang={other}>
          {TEXTS[other].note}
        </p>
      </div>
    </div>
  )
}

/** Draws a QR code with the quiet zone that readers need (ISO/IEC 18004). */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="tag-paper-code"
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
