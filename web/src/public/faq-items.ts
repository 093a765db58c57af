import { m } from '~/paraglide/messages'

type FaqItem = {
  /** The target of a link to the answer (`/#faq-…`), the same in both languages. */
  id: `faq-${string}`
  question: () => string
  answer: () => string
}

/** The questions and answers of the landing page, in order. */
export const faqItems: readonly FaqItem[] = [
  { id: 'faq-what', question: m.faq_1_q, answer: m.faq_1_a },
  { id: 'faq-price', question: m.faq_2_q, answer: m.faq_2_a },
  { id: 'faq-documents', question: m.faq_3_q, answer: m.faq_3_a },
  { id: 'faq-anonymity', question: m.faq_4_q, answer: m.faq_4_a },
  { id: 'faq-encryption', question: m.faq_5_q, answer: m.faq_5_a },
  { id: 'faq-notices', question: m.faq_6_q, answer: m.faq_6_a },
  { id: 'faq-replies', question: m.faq_7_q, answer: m.faq_7_a },
  { id: 'faq-disputes', question: m.faq_8_q, answer: m.faq_8_a },
  { id: 'faq-sold', question: m.faq_9_q, answer: m.faq_9_a },
  { id: 'faq-app', question: m.faq_10_q, answer: m.faq_10_a },
]
