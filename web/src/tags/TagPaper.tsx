import { encode } from 'uqr'
import type { Locale } from '#contract/product.ts'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Logo } from '~/ui/Logo'

type Props = { url: string; digits: string; size: string; locale: Locale }

/** Draws the card that lies behind the windshield, which strangers read: in both languages. Nothing on it names the vehicle or its owner. */
export function TagPaper({ url, digits, size, locale }: Props) {
  const other: Locale = locale === 'en' ? 'fr-CA' : 'en'
  const host = url.replace(/^https?:\/\//, '').replace(/\/t\/.*$/, '/t')
  return (
    <div className={`tag-paper tag-paper-${size}`}>
      <div className="tag-paper-frame">
        <span className="tag-paper-logo" aria-hidden="true">
          <Logo />
        </span>
        <p className="tag-paper-title">{m.tag_paper_title({}, { locale })}</p>
        <p className="tag-paper-other" lang={other}>
          {m.tag_paper_title({}, { locale: other })}
        </p>
        <QrCode text={url} />
        <p className="tag-paper-how">{m.tag_paper_how({}, { locale })}</p>
        <p className="tag-paper-other" lang={other}>
          {m.tag_paper_how({}, { locale: other })}
        </p>
        <p className="tag-paper-digits">
          {[locale, other].map((one) => (
            <span key={one} lang={one}>
              {verbatim(m.tag_paper_typed({ host }, { locale: one }), host)}
            </span>
          ))}
          <strong>
            {digits.slice(0, 4)} {digits.slice(4)}
          </strong>
        </p>
        <p className="tag-paper-note">{m.tag_paper_note({}, { locale })}</p>
        <p className="tag-paper-note" lang={other}>
          {m.tag_paper_note({}, { locale: other })}
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
