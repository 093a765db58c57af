// chunk: guest

import type { GuestReason } from './guest-texts.ts'
import type { Answer } from './messages.ts'

export const texts = {
  common: {
    language: 'Language',
    try_again: 'Try again',
    network: 'No connection. Please try again.',
    failed: 'That did not work. Please try again in a moment.',
    too_many: 'You have reached the limit for now. Please try again later.',
    anonymous: 'You stay anonymous. The owner sees neither your name nor your number.',
    checking: 'One moment: your phone is doing a short check…',
    scripts_needed:
      'Many wrong tries are arriving right now. Please allow JavaScript for this page, or try again later.',
  },
  tag: {
    title: 'Reach the owner of this vehicle',
    intro: 'Choose a message. You need no account, and the owner can answer you right here.',
    digits: 'The eight digits on the card',
    digits_missing: 'Enter the eight digits on the card.',
    plate: 'The last three characters of the plate',
    plate_hint: 'Without hyphens. If the plate is shorter, all of it.',
    plate_missing: 'Enter the last three characters of the plate.',
    plate_character: '“{character}” cannot be on a plate.',
    reason: 'What is it about?',
    reason_missing: 'Choose what it is about.',
    emergency: 'If a person or an animal is in danger, call 911 first.',
    chips: 'Add something (optional)',
    waiting_here: 'I am waiting here',
    no_hurry: 'There is no hurry',
    until: 'Until {time}',
    send: 'Tell the owner',
    sending: 'Telling the owner…',
    // the same for every tag that takes no message, whatever the reason
    refused:
      'The message was not accepted. Check the card and the characters of the plate. After three wrong tries, the card accepts nothing for an hour.',
  },
  reasons: {
    blocked_in: 'Your vehicle is blocking mine and I can’t get out.',
    lights_on: 'The lights of your vehicle are on.',
    door_open: 'A door, a window or the trunk is open.',
    alarm: 'The alarm of your vehicle is sounding.',
    accident: 'Your vehicle was in a minor accident.',
    flat_or_leak: 'A tire looks flat, or something is leaking.',
    towing: 'Your vehicle is about to be towed or ticketed.',
    someone_inside: 'A child or an animal is inside, possibly in danger.',
  },
  answers: {
    coming: 'The owner is coming now.',
    in_5: 'The owner will be there in 5 minutes.',
    in_15: 'The owner will be there in 15 minutes.',
    not_my_car: 'The owner says it is not this vehicle.',
    thanks: 'The owner says thank you.',
  },
  receipt: {
    title: 'Your message',
    left: 'Your message has been left for the owner.',
    left_at: 'Left at {time}',
    waiting: 'No answer yet',
    keep_open: 'Keep this page open: the answer appears here.',
    check: 'Look for an answer',
    answered: 'The owner has answered',
    answered_at: 'Answered at {time}',
    tell_me: 'Tell me on this phone',
    telling: 'This phone will tell you when the owner answers.',
    blocked: 'Your browser does not allow it. Keep this page open instead.',
    gone: 'This message is not here any more.',
    push_body: 'Tap to read the answer.',
    register_title: 'Next time on your phone',
    register_text: 'Register your plate, and whoever stands at your vehicle can reach you too.',
    your_plate: 'Your licence plate',
    register: 'Register your plate',
  },
} satisfies { reasons: Record<GuestReason, string>; answers: Record<Answer, string> } & Record<string, object>
