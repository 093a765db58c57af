import { LOCALES, PRODUCT } from '#contract/product.ts'
import { getLocale, href, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { absoluteUrl, siteSetting } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { faqItems } from './Faq.tsx'

/** Describes the company, the site and the questions of the landing page to search engines (schema.org, as JSON-LD). */
export const structuredData = () => {
  const language = LANGUAGE_TAGS[getLocale()]
  const organization = absoluteUrl('/#organization')
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': organization,
        name: PRODUCT,
        url: absoluteUrl('/'),
        logo: absoluteUrl('/icon-512.png'),
        areaServed: 'CA',
        contactPoint: {
          '@type': 'ContactPoint',
          contactType: 'customer support',
          email: siteSetting('SUPPORT_EMAIL'),
          availableLanguage: LOCALES.map((locale) => LANGUAGE_TAGS[locale]),
        },
      },
      {
        '@type': 'WebSite',
        '@id': absoluteUrl('/#website'),
        name: PRODUCT,
        url: absoluteUrl(href('/')),
        description: m.landing_description(),
        inLanguage: language,
        publisher: { '@id': organization },
      },
      {
        '@type': 'FAQPage',
        url: absoluteUrl(`${href('/')}#faq`),
        inLanguage: language,
        mainEntity: faqItems.map(({ id, question, answer }) => ({
          '@type': 'Question',
          name: question(),
          acceptedAnswer: { '@type': 'Answer', text: answer(), url: absoluteUrl(`${href('/')}#${id}`) },
        })),
      },
    ],
  }
}
