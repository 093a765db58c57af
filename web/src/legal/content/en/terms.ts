import type { LegalText } from '~/legal/content/shape'

export const terms = {
  title: 'Terms and Conditions',
  description:
    'The rules for using PlateNote: who may use it, what may be sent, how a dispute over a licence plate is settled, and which law applies.',
  version:
    'Version of November 27, 2026: says that a registration can be rejected automatically and looked at again by a person, that a message is kept for 12 months, that an email about a message contains its text unless you turn that off, and that a change which takes rights from you or adds to your duties needs your agreement; clearer wording, no new duties.',
  inShort: [
    'PlateNote is free. You need an account, and you must be at least 13.',
    'Be truthful and polite. Threats, harassment, advertising and plates that are not yours have no place here.',
    'PlateNote is not an emergency service. If anyone is in danger, call 911.',
    'You can delete your account whenever you like.',
  ],
  sections: {
    acceptance: {
      title: 'Acceptance of Terms',
      blocks: [
        'These terms are an agreement between you and {company} (“we”, “us”), the operator of this service. You accept them when you create an account, or when you use this website. If you do not agree with them, please do not use PlateNote.',
        'You must be at least 13 years old. If you have not reached the age of majority where you live, your parent or guardian must agree to these terms as well. In Quebec, a person aged 13 also needs the consent of the person having parental authority, or of their tutor, before giving us personal information.',
      ],
    },
    'service-description': {
      title: 'Description of the Service',
      blocks: [
        'PlateNote lets a person with an account message the owner of a vehicle registered with PlateNote using only its licence plate. The owner is told by email and on this website, can read the message, and may reply to it once. We do not tell either of them who the other one is.',
        [
          'Registering vehicles, sending messages and replying are free. Registering a plate takes no documents.',
          'A plate can be reached only if someone has registered it here and the registration is active. We do not look anyone up in government records, and we do not act for any licensing authority, police service or insurer.',
          'A message goes to the account that registered the plate. Unless there is a dispute, we do not check who that is: a message may reach someone who does not own the vehicle.',
          'A message is kept for 12 months after it was sent or answered, and is then deleted with its photo and its reply.',
          'To protect people from abuse, and plates from being tried one after another, there are limits on how much one account can send, register and upload.',
        ],
        '**PlateNote is not an emergency service.** A message may be read late, or never. If a person or an animal is in danger, call 911.',
        '**Disputes over a plate.** When a second account registers a plate in the same province, both are asked by email for a driver’s licence and the vehicle’s registration, to be sent within 5 business days.',
        [
          'Until the dispute is settled, the plate receives no messages, unless its first owner had already been verified or the new claim does not pause it.',
          'The person we confirm becomes a Verified PlateNote User, and the other registration ends.',
          'If we have recorded no documents in time from the person who registered second, that registration is rejected automatically. They can ask a person to look at it again.',
          'Anyone who registers a verified plate later, for example after buying the vehicle, starts a new verification.',
          'The {privacy|Privacy Policy} says how we treat the documents.',
        ],
      ],
    },
    'user-responsibilities': {
      title: 'Your Responsibilities',
      blocks: [
        'When you use PlateNote, you agree to:',
        [
          'give a working email address, keep your password to yourself, and tell us if someone else has used your account;',
          'register only vehicles that you own or lease, or whose owner wants you to be reached for them;',
          'remove a vehicle when you sell it or give up its plate. The messages it received go with it;',
          'write only what is true and useful to the person who reads it, and take photos from where you are allowed to be, showing no more than they need to;',
          'think before you write about yourself. Whatever you put into a message, or show in a photo, its reader will know;',
          'never read or write messages while you drive.',
        ],
        'After a collision, a message here may not be enough. The law may require you to stop, to give your name and details, or to report to the police. PlateNote passes on neither your name nor your address, so it cannot do that for you.',
      ],
    },
    'prohibited-conduct': {
      title: 'Prohibited Conduct',
      blocks: [
        'You may not use PlateNote to:',
        [
          'threaten, harass, stalk, shame, discriminate against or deceive anyone;',
          'find out who an owner or a sender is, or where they live, or pressure them to say so;',
          'pass yourself off as someone else, such as the police, a parking authority, an insurer or PlateNote;',
          'demand money, advertise, recruit, or send the same message to many people;',
          'send links to harmful software or fake websites, or anything unlawful, hateful or sexual;',
          'register a plate to keep its owner from using it, start a dispute without good reason, or send in false or altered documents;',
          'try plates one after another, collect information by automated means, or get around our limits, including by using several accounts;',
          'disrupt the service, or enter parts of it that are not meant for you. If you have found a weakness, please tell us before you tell others.',
        ],
        'If you get a message of this kind, write to {support} and say which plate it came to and when. Please keep the message until we have answered. If you feel threatened, call the police first.',
      ],
    },
    privacy: {
      title: 'Privacy',
      blocks: [
        'The {privacy|Privacy Policy} describes what we collect, why, and what you can ask of us. Four points matter most for these terms:',
        [
          'The recipient of a message never learns from us who sent it. We ourselves keep which account it was, and we disclose that when the law requires it, for example under a court order.',
          'Messages, replies and photos are encrypted in transit and at rest; PlateNote holds the keys.',
          'PlateNote stores no registration documents. We ask for documents by email only, and only in a dispute over a plate; those you send then are deleted once it is decided.',
          'An email about a message contains its text, so that it can be read right away, unless you turn that off in your {notificationChoices|profile}.',
        ],
      ],
    },
    'intellectual-property': {
      title: 'Intellectual Property',
      blocks: [
        'What you write and photograph stays yours. You allow us to store it, to change its technical form (a photo is re-created and made smaller, for instance) and to show it to the person it is meant for, as far as running the service requires and for as long as it is kept. We use it for nothing else.',
        'The name PlateNote, its logo, its design and its texts belong to us or to those who let us use them. You may not use them in a way that suggests we stand behind something we do not. Where we publish software under an open-source licence, that licence applies to the software.',
      ],
    },
    disclaimers: {
      title: 'Disclaimers and Liability',
      blocks: [
        'We run PlateNote with care, but we offer it free of charge and as it is. We do not promise that it is always available, that a message arrives in time, is read or is answered, or that what other people write is true. Messages are not reviewed before they are delivered.',
        'As far as the law permits, we are not liable for what users do or fail to do, nor for indirect losses that come from using PlateNote or from being unable to use it.',
        'Nothing in these terms takes away rights or remedies that the law does not allow to be taken away: among others, liability for bodily or moral injury and for intentional or gross fault, and the legal warranties and protections that consumers have in their province. In Quebec, we answer for our own acts as the law there provides.',
      ],
    },
    termination: {
      title: 'Termination',
      blocks: [
        'You can delete your account in your {ownData|profile} at any time, permanently and right away. Your vehicles go with it, and so do the messages they received. Until its time is over, each message stays with its other side, without any link to you: what you sent with the people who received it, what you received, and what you answered, with the people who wrote it.',
        'We may reject or remove the registration of a vehicle, or close an account, when these terms are broken seriously or repeatedly, when the law requires it, or when people need to be protected. If we reject a registration, we tell its owner why. If we have closed your account, we tell you the reason when you ask, unless the law or someone’s safety prevents it. Write to {support} if you believe that we were wrong: a person will look at it again.',
        'If we ever shut down PlateNote, we will announce it on this website at least 30 days before, so that you can download your data. Sections 6, 7 and 9 continue to apply when this agreement ends.',
      ],
    },
    'governing-law': {
      title: 'Governing Law',
      blocks: [
        'These terms are governed by the laws of Ontario and the federal laws of Canada that apply there. Legal proceedings are heard by the courts of Ontario.',
        'If you are a consumer in another province or territory, you keep the protection of its mandatory rules and the right to go before its courts. In Quebec, the Consumer Protection Act and the other rules of public order apply to you whatever these terms say.',
        'Before you go to court, please write to {support}: most matters can be settled that way. If a court finds part of these terms invalid, the rest remains. The English and the French version have equal force.',
      ],
    },
    changes: {
      title: 'Changes to These Terms',
      blocks: [
        'We may change these terms when the service or the law changes, or to make them clearer. The new version is published on this page, with its date. When a change takes rights from you or adds to your duties, PlateNote asks you to agree to it the next time you open it. Until you have agreed, the version you agreed to before applies. If you do not agree, you can download your data and delete your account at no cost. The old version applies to what happened before.',
        'Questions about these terms? Write to {support}, or use {contact|our contact form}.',
      ],
    },
  },
} satisfies LegalText
