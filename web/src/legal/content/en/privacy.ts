import type { LegalText } from '~/legal/content/shape'

export const privacy = {
  title: 'Privacy Policy',
  description:
    'What PlateNote collects and why, who can see it, how long it is kept, and how to see, correct, download or delete your own information.',
  version:
    'Version of November 27, 2026: says that emails about messages and replies contain their text unless you turn that off, what is not encrypted, what windshield cards and notes, the people of a vehicle and collisions leave with us, how blocks, reports, decisions about people and automatic rejections work, how long each thing is kept, how an email address is changed, how you learn of changes, and that a backup may be kept longer when the law demands it; clearer wording throughout.',
  inShort: [
    'Whoever reads your message never learns from us who you are, and you never learn who they are.',
    'Messages, replies and photos are encrypted in transit and at rest; PlateNote holds the keys. An email about a message contains its text, unless you turn that off.',
    'No cookies, no advertising, no tracking. We do not sell personal information.',
    'You can download what is kept with your account, or delete your account, at any time.',
  ],
  sections: {
    introduction: {
      title: 'Introduction',
      blocks: [
        'This policy covers the PlateNote website and the emails and notifications we send. It is written to meet the federal Personal Information Protection and Electronic Documents Act (PIPEDA), Quebec’s Act respecting the protection of personal information in the private sector (as amended by Law 25), and the similar acts of Alberta and British Columbia.',
        'One person at PlateNote is responsible for protecting personal information. You can write to this person about anything on this page:',
        { personInCharge: 'Person in charge of the protection of personal information' },
      ],
    },
    'information-collected': {
      title: 'Information We Collect',
      blocks: [
        'You give us this information, or it’s created when you use PlateNote. We don’t buy any, and we don’t look anyone up in vehicle records.',
        [
          '**Your account.** Email address, full name, password (only as a hash, from which it cannot be read back), your choices of language, emails and notifications, your quiet hours and time zone if you set them, when you signed up and last logged in, and, for 90 days, when you registered a plate that someone else already had.',
          '**Your vehicles.** Plate, province, make, model, year, and whether the registration is active.',
          '**Messages.** The plate, what you wrote and the reason you chose, the photo, the time, whether it was read, the reply, and which account sent it. A message to a plate nobody has registered is not stored, unless you leave it as a note.',
          '**Notes and cards on a windshield.** A note opens only with its code and the plate; we keep neither, and without them nobody can read it, not even us. Someone who uses the card of a vehicle chooses among our sentences and gives us nothing else: we keep a code for their browser and one for their network, so that limits, blocks and reports hold.',
          '**Collisions.** If you say that you hit a vehicle, the name, phone number and other particulars you write on the card, with its photos. If you offer to be a witness, how you can be reached, once you agree to give it.',
          '**People of a vehicle.** Who drives it besides its owner, who has it right now (never who had it before), and open invitations.',
          '**Photos.** Each one is re-created before it is stored: location, camera details, file name and everything else hidden in the file are gone.',
          '**Where you are signed in.** For each login your browser’s description of itself, the IP address, and when it began and was last used.',
          '**Counts against abuse.** How often an account, mailbox or network recently did certain things, stored under a code that doesn’t reveal who it belongs to. It outlives the account, so that deleting one does not reset a limit.',
          '**Notifications on a device.** If you turn them on, the address at which your browser’s push service reaches that device.',
          '**The contact form.** Name, email address, subject, message and language.',
          '**Disputes over a plate.** A driver’s licence and a vehicle registration, asked for by email. You send them by replying to that email, or sealed through your vehicle’s page, where only the administrator who decides can open them. We ask you to cover what we do not need.',
          '**Blocks and reports.** Whom you do not want to hear from, under a code; what you reported, and why. A reported message is copied with its photo and its reply under a key of its own, so that it can still be looked into when the message is gone.',
          '**What you agreed to.** The version of our terms, the language and the time, and your statement about your age.',
        ],
        'We do not ask for your location or any payment details, nor for your phone number, except on the card of a collision. You are free to give us nothing; without an email address there can be no account, and without a plate nobody can reach you.',
      ],
    },
    use: {
      title: 'How We Use Information',
      blocks: [
        'We use it to deliver messages and replies, to sign you in and keep your account safe, to email and notify you, to settle disputes over plates, to curb abuse, to answer you, and to do what the law asks of us. We use it neither for advertising nor to make profiles of people, and we train nothing with what people write.',
        'When you sign up, send a message or fill in a form, you consent to these uses. You can withdraw that consent (section 5).',
        '**Emails.** We send no advertising. You can end emails about new messages at any time, from a link in each of them. Emails about your account, your vehicles and replies to you belong to the service and continue.',
        '**The text in emails.** An email about a message or a reply contains its text, because someone who is blocked in, or sees a danger, needs you to read it right away. You can turn that off in your {notificationChoices|profile}. A photo or a card of particulars is never in an email; it only says that there is one.',
        '**Decided without a person.** If a dispute over a plate is open and the due date passes before we have recorded any documents from the person who registered second, that registration is rejected automatically. Write to {support} if you would like to know how it came about, give your view, or have a person look at it.',
      ],
    },
    sharing: {
      title: 'How Information Is Shared',
      blocks: [
        [
          '**The owner of a vehicle** sees the plate, the message, its reason, its photo and its time, and gets the text by email too: never your name, your email address, your vehicles or whether two messages came from the same person.',
          '**The sender of a message** learns that the plate can be reached, and in which province if there are several, whether our notice to the owner was delivered, whether someone is on the way or nobody has answered yet, and the reply, if there is one: never who you are, nor how many people the vehicle has.',
          '**The drivers of a vehicle** read the messages that arrive after they join, and can answer them, but see no card of particulars. Everyone of a vehicle sees the name and email address of the others.',
          '**A card of particulars, or a witness’s contact,** goes to the owner of the vehicle, and says who you are. We ask you to confirm that first.',
          '**A photo** has a long random address. Anyone who has that address can open the photo for as long as the message exists.',
          '**Companies that work for us** host our servers and deliver our emails. They may use the information for that alone.',
          '**Push services** of browser makers (such as Google, Apple, Mozilla and Microsoft) carry notifications, only if you have turned them on. The content is encrypted for your device.',
          '**Courts and authorities** receive what we are legally bound to give, for example under a court order or a warrant: that may include which account sent a message. The law also lets us disclose what is necessary when someone’s life or safety is at risk. We give no more than that, and tell the people concerned unless the law forbids it.',
          '**A successor,** if PlateNote changes hands, must keep to this policy and to the law.',
        ],
        'We do not sell or rent personal information to anyone. If you write about yourself in a message, its reader will know; we can’t undo that.',
      ],
    },
    rights: {
      title: 'Your Rights and Choices',
      blocks: [
        [
          '**Access and portability.** Your {ownData|profile} has a button that downloads what is kept with your account, as one file in a common format (JSON). It never says who wrote to you.',
          '**Correction.** You can change your name and your email address in your profile. Write to {privacyEmail} about anything else that is wrong.',
          '**Deletion.** You can remove a vehicle or permanently delete your account, right away. With the account go your details, vehicles, notifications and sessions, and the messages your vehicles received. Each message, with its photo and its reply, stays with its other side. All that leads to you is an encrypted code of your mailbox, so that a block or a report still holds; it goes with the message.',
          '**Withdrawing consent.** You can end emails about messages, turn off notifications, or delete your account.',
          '**Quebec.** You may also ask us to stop disseminating information about you, or to de-index it, where the law provides for that.',
        ],
        'Write to {privacyEmail}. It costs nothing, and you get an answer within 30 days. So that nobody else gets your information, we may ask you to write from the address of your account.',
        'If our answer does not satisfy you, you can complain to {opc|the Office of the Privacy Commissioner of Canada}; in Quebec, to {cai|the Commission d’accès à l’information du Québec}; in Alberta or British Columbia, to the commissioner of your province.',
        { heading: 'How we decide', id: 'how-we-decide' },
        'These are the rules we keep to inside PlateNote when personal information is concerned.',
        [
          '**Who does what.** The person in charge (section 1) approves these rules, answers requests and complaints, keeps the register of incidents, and checks what administrators opened and why. Administrators settle disputes over plates, look at reports and answer the contact form. Nobody else at PlateNote sees your information.',
          '**Who decides about people.** A person decides on a warning, a limit or a suspension. You read the reason, and can appeal once within 20 days. What is decided without a person is in section 3.',
          '**How long things are kept.** The periods are in section 7. What is past its period is deleted automatically.',
          '**Complaints.** Write to {privacyEmail} and say what happened and what you would like. The person in charge looks into it and answers you in writing within 30 days, with the reasons and what you can do if you disagree. It costs nothing, and nothing is held against you.',
        ],
      ],
    },
    cookies: {
      title: 'Cookies and Browser Storage',
      blocks: [
        'PlateNote sets no cookies. It uses no analytics, and its pages load nothing from other companies. What it needs to remember is kept in your browser:',
        [
          'your session, until you sign out;',
          'the address of a sign-up, with a random number by which we recognize this browser, or the one you had a code sent to, until the address is confirmed;',
          'your choice of light or dark, the province you chose last, whether notifications are on in this browser, and that you have agreed to the terms;',
          'on the pages of windshield cards, the language you chose and a random number by which repeated messages from this browser are limited and blocked;',
          'the language you chose while you were signed in, and that we have offered you the other language;',
          'for an hour, the plate you want to register and the code of the note you read, until they are used or you sign out;',
          'what you are writing, in this tab only, until it is sent, you sign out or you close the tab;',
          'a short notice for the next page, such as that your account was deleted;',
          'once you have opened the dashboard, program files and a page for when you are offline: never messages.',
        ],
        'You can clear all of this in your browser. You will then be signed out.',
      ],
    },
    security: {
      title: 'Security and Retention',
      blocks: [
        'Connections to PlateNote are encrypted. Messages, replies, photos, the reasons of our decisions, and name, address and message of the contact form are also encrypted where they are stored, each with a key of its own. PlateNote holds the keys: it needs them to show you your messages. **Not encrypted in this way,** because we must search, sort or count by it: names, email addresses and plates; a vehicle’s make, model, year and province; the reason chosen for a message and a one-tap answer; who sent what to which vehicle and when; notifications; the IP address and browser of a session; and the addresses of push services. Access controls protect these. Our administrators’ screens show names, email addresses, vehicles and disputes, and no messages, unless someone reported one: opening it asks for a purpose and is recorded, as their decisions are. Emails are outside of this encryption: once one has left us, with the text of a message in it unless you turned that off, its protection depends on those who deliver it and on your email provider.',
        'We keep information only for as long as it is needed:',
        [
          '**Account, vehicles and what you agreed to:** until you delete them; an unconfirmed sign-up: 7 days; the record that you registered a plate someone else already had: 90 days.',
          '**Messages, replies and photos:** 12 months after the message was sent or answered; each shows until when. Before that, for the owner until the vehicle is removed, for the sender until the account is deleted, and on our servers until neither of them has the message. A photo that was never sent: about an hour.',
          '**A note on a windshield:** 72 hours if nobody opens it, otherwise 7 days after it was first opened. **What someone left with a windshield card** is a message like any other; its page for the person who left it: 30 days.',
          '**A former email address, a second step you removed:** 7 days, so that your mailbox can undo the change, and an address you entered but did not confirm, 24 hours. A code for each mailbox, from which no address can be read back, stays with what we know of the person, so that nobody escapes a decision by changing address.',
          '**Sessions:** until you sign out, or 90 days after their last use. The IP address of one is replaced 90 days after the login by a code for its network, from which it cannot be read back.',
          '**What happened to your account** (logins, failed ones, changes to your second step): 90 days, with the kind of device and a code for the network.',
          '**The record that an email was sent:** 30 days.',
          '**Counts against abuse:** a little over a month.',
          '**Messages from the contact form, and emails you send us:** 12 months, in our mailbox. On our servers a message from the form is only kept until it has arrived there, or 30 days if it can’t.',
          '**Documents in a dispute:** we look at them for that decision only. What you send with the button is encrypted; only the admin who decides can open it, and each opening is recorded. It is deleted when the decision is made or the dispute ends in another way, and at most 30 days after the due date. What you email is deleted from our mailbox once the decision is made.',
          '**A card of particulars** (yours, when you say that you hit a vehicle): 24 months after you sent it. It is kept apart from your messages, and only you and the owner of the vehicle can read it.',
          '**Invitations to drive a vehicle:** at most 7 days.',
          '**A reported message:** the copy of it, with the reports, for 24 months, even when the message and the accounts are gone.',
          '**What we decided about a person** (a warning, a limit, a suspension, with the reason and the appeal): 24 months after it ended, under a code for the mailbox.',
          '**The record of our decisions** (who decided what about which plate or account and when, and why) cannot be altered, so that we can be held to it, and is kept for 24 months. Of an account we have deleted it shows the first letter of the email address, and its domain only when very many people have an address there. If you delete your own account, that is not recorded in it.',
          '**Backups** may hold what was deleted until they are replaced in turn. When a court or an authority asks us to preserve records, we set a backup aside until that demand is over, and then destroy it. The law may forbid us to tell the person.',
        ],
        'No system is perfectly safe. If an incident puts you at risk of serious harm, we tell you and the authorities, as the law requires.',
      ],
    },
    children: {
      title: 'Children',
      blocks: [
        'PlateNote is not meant for children under 13, and we do not knowingly collect information about them. In Quebec, consent for a person under 14 is given by the person having parental authority, or by the tutor: a 13-year-old may use PlateNote there only with that consent.',
        'If you believe that a child has given us information, write to {privacyEmail}, and we will delete it.',
      ],
    },
    'international-transfers': {
      title: 'International Transfers',
      blocks: [
        'The companies that work for us may store or handle information outside your province or outside Canada, where other laws apply and where courts and authorities may have access to it. Before personal information leaves Quebec, we assess, as the law there requires, whether it will be well protected, and we bind those companies by contract.',
        'An email goes to wherever your provider keeps your mailbox. A notification on a device travels through your browser maker’s push service, often in the United States. Write to {privacyEmail} to learn where your information is kept today.',
      ],
    },
    changes: {
      title: 'Changes to This Policy',
      blocks: [
        'When what we do changes, this page changes first. The line below its title says what changed and when. If we would like to use your information for something new, we ask you first. If another change is important, PlateNote asks you to agree to it the next time you open it.',
        'Questions? Write to {privacyEmail}, or use {contact|our contact form}. The {terms|Terms and Conditions} also apply when you use PlateNote.',
      ],
    },
  },
} satisfies LegalText
