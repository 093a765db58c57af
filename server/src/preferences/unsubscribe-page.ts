import { createHash } from 'node:crypto'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { escapeHtml } from '../email/look.ts'

/** The link is good and asks; it was followed; it is none of ours. */
export type Scene = 'question' | 'done' | 'unknown'

type Texts = Record<Scene, { heading: string; text: string }> & { button: string; profile: Record<Scene, string> }

const TEXTS: Record<Locale, Texts> = {
  en: {
    question: {
      heading: 'Stop emails about new messages?',
      text: `You will still find every message in ${PRODUCT}. Emails about your account, your vehicles and replies to you go on.`,
    },
    done: {
      heading: 'You will get no more emails about new messages',
      text: `You still find every message in ${PRODUCT}. Emails about your account, your vehicles and replies to you go on.`,
    },
    unknown: {
      heading: 'This link does not work',
      text: 'Open the link in one of our emails again, or choose in your profile which emails you get.',
    },
    button: 'Stop these emails',
    profile: {
      question: 'Choose in my profile instead',
      done: 'Switch them on again in my profile',
      unknown: 'Go to my profile',
    },
  },
  'fr-CA': {
    question: {
      heading: 'Ne plus recevoir de courriels au sujet des nouveaux messages?',
      text: `Vous trouverez toujours chaque message dans ${PRODUCT}. Vous recevrez encore les courriels au sujet de votre compte, de vos véhicules et des réponses à vos messages.`,
    },
    done: {
      heading: 'Vous ne recevrez plus de courriels au sujet des nouveaux messages',
      text: `Vous trouvez toujours chaque message dans ${PRODUCT}. Vous recevrez encore les courriels au sujet de votre compte, de vos véhicules et des réponses à vos messages.`,
    },
    unknown: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Ouvrez de nouveau le lien dans l’un de nos courriels, ou choisissez dans votre profil les courriels que vous recevez.',
    },
    button: 'Arrêter ces courriels',
    profile: {
      question: 'Choisir plutôt dans mon profil',
      done: 'Les réactiver dans mon profil',
      unknown: 'Aller à mon profil',
    },
  },
}

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#faf8f2, #0e1512); --surface: light-dark(#fff, #16201b);
  --ink: light-dark(#14231c, #edf1ea); --soft: light-dark(#4b5951, #a8b5ad); --line: light-dark(#e0dccf, #2a3730);
  --pine: light-dark(#1d5540, #93d3b4); }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 Overpass, system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: clamp(1.5rem, 8vh, 5rem) 1rem 3rem; }
a { color: var(--pine); text-underline-offset: .2em; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--pine); outline-offset: 3px; border-radius: 8px; }
.home { display: inline-block; padding: .5rem 0; margin: 0 0 .75rem; font-size: 1.2rem; font-weight: 800; text-decoration: none; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.5rem, 6vw, 2.25rem); }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 1rem; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0 0 1.25rem; color: var(--soft); }
form { margin: 0 0 .75rem; }
button { min-height: 48px; padding: .6rem 1.5rem; border: 0; border-radius: 8px; background: #ffb31a; color: #14231c;
  font: inherit; font-weight: 700; cursor: pointer; }
.profile { display: inline-block; padding: .65rem 0; }
@media (max-width: 480px) { button { width: 100% } }
@media (forced-colors: active) { button { border: 1px solid } }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Its own style and its own form, and nothing else; no script. */
export const UNSUBSCRIBE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** The page of `/unsubscribe/:token`. The form posts to the page's own address. */
export function unsubscribePage(scene: Scene, locale: Locale, publicUrl: string): string {
  const { button, profile, [scene]: words } = TEXTS[locale]
  const link = (path: string) => escapeHtml(publicUrl + localizedPath(path, locale))
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${button}</button></form>`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.heading} · ${PRODUCT}</title>
<style>${STYLE}</style>
</head>
<body><main>
<a class="home" href="${link(paths.home())}">${PRODUCT}</a>
<section>
<h1>${words.heading}</h1>
<p>${words.text}</p>
${scene === 'question' ? form : ''}
<a class="profile" href="${link(paths.profile())}">${profile[scene]}</a>
</section>
</main></body>
</html>
`
}
