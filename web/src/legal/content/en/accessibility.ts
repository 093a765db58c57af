import type { AccessibilityText } from '~/legal/content/shape'

export const accessibility = {
  title: 'Accessibility',
  description: 'What PlateNote does so that everyone can use it, what does not work yet, and how to tell us.',
  intro: 'Everyone should be able to reach the owner of a vehicle, and be reached, whatever device or help they use.',
  sections: [
    {
      title: 'What we aim for',
      blocks: [
        'PlateNote follows the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA. A program checks some of the pages before each change, and all of them regularly, in both languages, both themes and several widths; the main tasks are tried with the keyboard alone.',
        [
          'Everything works with a keyboard and with a screen reader.',
          'Text can be enlarged to 400% without scrolling sideways.',
          'Nothing depends on colour alone, and motion stops if your device asks for that.',
          'The public pages and the contact form work without scripts.',
        ],
      ],
    },
    {
      title: 'What does not work yet',
      blocks: [
        [
          'A photo in a message has no description: its sender is not asked for one.',
          'The code for setting up an authenticator app is a picture; the same code stands beside it as text.',
          'We have not yet had PlateNote examined by people who use assistive technology every day.',
        ],
      ],
    },
    {
      title: 'In an emergency',
      blocks: [
        'If someone is in danger, call 911. Cannot speak or hear? Text with 9-⁠1-⁠1 lets you write with the operator, once you have registered with your phone company.',
      ],
    },
    {
      title: 'Tell us, or ask for another format',
      blocks: [
        'Something is in your way, or you need a page, a message or your data in another format? Write to {support}, or use {contact|our contact form}. You get an answer within 30 days, at no cost.',
      ],
    },
  ],
} satisfies AccessibilityText
