import { m } from '~/paraglide/messages'

/** Questions and answers of the landing page, in order. */
export const faqItems = [
  [m.faq_1_q, m.faq_1_a],
  [m.faq_2_q, m.faq_2_a],
  [m.faq_3_q, m.faq_3_a],
  [m.faq_4_q, m.faq_4_a],
  [m.faq_5_q, m.faq_5_a],
  [m.faq_6_q, m.faq_6_a],
  [m.faq_7_q, m.faq_7_a],
  [m.faq_8_q, m.faq_8_a],
  [m.faq_9_q, m.faq_9_a],
  [m.faq_10_q, m.faq_10_a],
] as const
