import { type Html, html } from '#server/infra/html.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { Mail, TextMessage } from './message.ts'

interface MailParts {
  subject: string
  /** Paragraphs. */
  lines: string[]
  link?: { label: string; url: string }
  /** Small print below the link. */
  notes?: string[]
}

/** Builds a mail in plain text and simple HTML. Values are escaped, since names come from strangers. */
function mail(to: string, { subject, lines, link, notes = [] }: MailParts): Mail {
  const text = [...lines, ...(link ? [link.url] : []), ...notes, 'Hapax'].join('\n\n')
  const paragraph = (line: string): Html => html`<p>${line}</p>`
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="font:16px/24px system-ui,sans-serif;color:#1b1d22;max-width:560px;margin:0 auto;padding:16px">
${lines.map(paragraph)}
${
  link &&
  html`<p><a href="${link.url}" style="display:inline-block;background:#2f4fd0;color:#ffffff;padding:10px 16px;border-radius:8px;text-decoration:none">${link.label}</a></p>
<p style="color:#595f6b;font-size:14px;overflow-wrap:anywhere">Or open this address: ${link.url}</p>`
}
${notes.map((note) => html`<p style="color:#595f6b;font-size:14px">${note}</p>`)}
<p>Hapax</p>
</body></html>`.text
  return { channel: 'mail', to, subject, text, html: body }
}

const text = (to: string, words: string): TextMessage => ({ channel: 'sms', to, text: words })

/** Advice after an intrusion: a new password alone only ends sessions. */
const tickTheBox =
  'When you set the new password, tick “Somebody else was in my account”: that also ends API keys, linked accounts, webhook addresses and the phone number, whoever set them up.'

/**
 * The link that sets a new password. If the address is unverified, or was verified without the password, everything
 * that a stranger set up ends by itself.
 */
export const passwordResetMail = (
  to: string,
  { url, isVerified, isSecured }: { url: string; isVerified: boolean; isSecured: boolean },
) =>
  mail(to, {
    subject: 'Set a new password',
    lines: ['Somebody, hopefully you, asked for a new password for your Hapax account.'],
    link: { label: 'Set a new password', url },
    notes: [
      'The link works once, for 30 minutes. If it was not you, do nothing: your password stays as it is.',
      ...(isVerified && !isSecured
        ? [
            'API keys, linked accounts, webhook addresses, the phone number and connected shops end with the old password, because it was chosen before this address was confirmed. If you set them up yourself, you can keep them: tick the box on the page.',
          ]
        : []),
      ...(isSecured ? [`Was somebody else in your account? ${tickTheBox}`] : []),
    ],
  })

/** The link that verifies an address. */
export const verificationMail = (to: string, url: string) =>
  mail(to, {
    subject: 'Confirm your email address',
    lines: ['Please confirm that this address belongs to your Hapax account.'],
    link: { label: 'Confirm the address', url },
    notes: [
      'The link works once, for 24 hours. Where you are not signed in, it asks for your password.',
      'If you did not create this account, do not confirm it. To take it over, ask for a new password for this address: that also ends whatever somebody else set up.',
    ],
  })

/** The link that proves an address to which marketplaces write. */
export const recipientMail = (to: string, url: string) =>
  mail(to, {
    subject: 'Confirm the address for your sale mails',
    lines: ['Somebody, hopefully you, wants Hapax to act on the sale mails that marketplaces send to this address.'],
    link: { label: 'Confirm the address', url },
    notes: [
      'The link works once, for 24 hours, where you are signed in to Hapax.',
      'If it was not you, do nothing: without your confirmation nothing happens.',
    ],
  })

/** Sent to an account whose address for sale mails another account has proved. */
export const recipientMovedMail = (to: string, email: string) =>
  mail(to, {
    subject: 'An address for sale mails moved to another account',
    lines: [
      `Another Hapax account has proved that it owns ${email}. Sale mails to that address no longer count for yours.`,
    ],
    notes: ['If the address is yours, add it again: the newer proof counts.'],
  })

/** Sent after the first verification of a mailbox. */
export const mailboxVerifiedMail = (
  to: string,
  {
    removed,
    kept,
    newPasswordUrl,
    isSecured,
    securityUrl,
  }: {
    removed: string[]
    kept: string[]
    newPasswordUrl: string | null
    isSecured: boolean
    /** Where to end single sessions and keys, where they stay. */
    securityUrl: string | null
  },
) =>
  mail(to, {
    subject: 'Your email address is confirmed',
    lines: [
      'This address now belongs to your Hapax account.',
      securityUrl !== null
        ? 'Your sessions and API keys stay, because you confirmed where you signed in with the account’s password.'
        : removed.length === 0
          ? 'Nothing that was set up before had to be removed.'
          : `What was set up before anybody had proven to own this address was removed: ${removed.join(', ')}.`,
      ...shopsThatStay(kept),
    ],
    notes: [
      securityUrl === null
        ? 'Sign in again, and make new API keys where you need them.'
        : `Look through your sessions at ${securityUrl} and end any that you do not know.`,
      newPasswordUrl === null
        ? 'Connect your shops again.'
        : `Did you confirm an account that somebody else made? Ask for a new password at ${newPasswordUrl} now. ${isSecured ? tickTheBox : 'That also ends API keys, linked accounts, webhook addresses, the phone number and connected shops, whoever set them up.'}`,
    ],
  })

/** Sent after a reset that revoked everything. */
export const allAccessRevokedMail = (
  to: string,
  { removed, kept, shopsEnded }: { removed: string[]; kept: string[]; shopsEnded: boolean },
) =>
  mail(to, {
    subject: 'What somebody else could have set up has ended',
    lines: [
      removed.length === 0
        ? 'There was nothing in your Hapax account that had to be removed. All sessions have ended.'
        : `All sessions of your Hapax account have ended, and this was removed: ${removed.join(', ')}.`,
      ...shopsThatStay(kept),
    ],
    notes: [
      'Sign in with the new password, and make new API keys where you need them.',
      ...(shopsEnded ? ['Connect your shops again.'] : []),
    ],
  })

const shopsThatStay = (kept: string[]) =>
  kept.length > 0
    ? [
        `These shops stay connected: ${kept.join(', ')}. If one is not yours, disconnect it on the page where shops are connected.`,
      ]
    : []

/** The page that requests a new password. */
const newPassword = (publicUrl: string) => ({
  label: 'Ask for a new password',
  url: `${publicUrl}/account/forgot-password`,
})

/** Sent to the owner after every change of password, in case somebody else made it. */
export const passwordChangedMail = (to: string, publicUrl: string) =>
  mail(to, {
    subject: 'Your password was changed',
    lines: [
      'The password of your Hapax account was changed, and all other sessions were ended.',
      `If it was you, there is nothing to do. If it was not, ask for a new password now. ${tickTheBox}`,
    ],
    link: newPassword(publicUrl),
  })

/** Sent to sellers whose eBay consent predates the permission for sale notifications. */
export const saleNoticesMail = (to: string, publicUrl: string) =>
  mail(to, {
    subject: 'Connect eBay again to hear of sales at once',
    lines: [
      'eBay can now tell Hapax of each sale within seconds. Your eBay shop was connected before that, so it takes your consent once more.',
      'Until then Hapax finds sales by asking eBay from time to time. Nothing else changes, and nothing is lost.',
    ],
    link: { label: 'Connect eBay again', url: `${publicUrl}/connect/?to=ebay` },
  })

/** Sent when eBay refuses the subscription that told of sales before. */
export const saleNoticesRefusedMail = (to: string, publicUrl: string) =>
  mail(to, {
    subject: 'eBay no longer tells Hapax of sales at once',
    lines: [
      'eBay refused to go on telling Hapax of each sale of your shop within seconds. Hapax asks again each hour.',
      'Until then Hapax finds sales by asking eBay every few minutes, and ends your other listings then.',
      'If you run Hapax yourself, check that PUBLIC_URL is the address that eBay can reach. The log has the reason.',
    ],
    link: { label: 'See your shops', url: `${publicUrl}/app/` },
  })

/** Sent after a change of the second factor. */
export const secondFactorMail = (to: string, what: 'on' | 'off' | 'codes', publicUrl: string) => {
  const said = {
    on: 'An authenticator app was set up for your Hapax account. From now on a sign-in asks for a code of it.',
    off: 'The authenticator app of your Hapax account was removed. A sign-in no longer asks for a code.',
    codes: 'New recovery codes were made for your Hapax account. The old ones no longer work.',
  }
  const subject = {
    on: 'A second factor protects your account',
    off: 'The second factor of your account was removed',
    codes: 'Your account has new recovery codes',
  }
  return mail(to, {
    subject: subject[what],
    lines: [said[what], `If it was not you, ask for a new password now. ${tickTheBox}`],
    link: newPassword(publicUrl),
  })
}

/** Sent after several wrong codes at the second step of a sign-in. */
export const wrongCodesMail = (to: string, publicUrl: string) =>
  mail(to, {
    subject: 'Wrong codes at your sign-in',
    lines: [
      'Somebody passed the first step of signing in to your Hapax account, then entered several wrong codes.',
      `If it was you, use a recovery code or a passkey. If it was not, your password is known to somebody: ask for a new one now. ${tickTheBox}`,
    ],
    link: newPassword(publicUrl),
  })

/** Sent after a passkey was added or removed. */
export const passkeyMail = (
  to: string,
  { name, what, publicUrl }: { name: string; what: 'added' | 'removed'; publicUrl: string },
) =>
  mail(to, {
    subject: `A passkey was ${what}`,
    lines: [
      `The passkey “${name}” was ${what === 'added' ? 'added to' : 'removed from'} your Hapax account.`,
      `If it was not you, ask for a new password now. ${tickTheBox}`,
    ],
    link: newPassword(publicUrl),
  })

/** Sent after a sign-in from a new network and browser. */
export const newDeviceMail = (
  to: string,
  { device, network, at, publicUrl }: { device: string; network: string; at: Date; publicUrl: string },
) =>
  mail(to, {
    subject: 'New sign-in to your account',
    lines: [
      `Your Hapax account was signed in to from a new device: ${device}, network ${network}, ${atUtc(at)}.`,
      `If it was you, there is nothing to do. If it was not, ask for a new password now: that ends all sessions. ${tickTheBox}`,
    ],
    link: newPassword(publicUrl),
  })

const times = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const atUtc = (at: Date) => `${times.format(at)} UTC`

/** Sent after a sign-in service (`service`) was linked. */
export const identityLinkedMail = (to: string, service: string, publicUrl: string) =>
  mail(to, {
    subject: `${service} was linked to your account`,
    lines: [
      `An account of ${service} was linked to your Hapax account.`,
      `If it was not you, ask for a new password now. ${tickTheBox}`,
    ],
    link: newPassword(publicUrl),
  })

/** Sent when Apple reports that a person stopped using their Apple account here, or deleted it. */
export const appleAccessEndedMail = (to: string, publicUrl: string) =>
  mail(to, {
    subject: 'Sign in with Apple was turned off',
    lines: [
      'Apple told us that you no longer use your Apple account with Hapax, so we signed you out everywhere.',
      'Your items and shops are kept, and sold items are still taken down. To sign in with this address, set a password.',
    ],
    link: newPassword(publicUrl),
  })

/** A listing that should be down but is still up. */
export interface StillUp {
  platform: PlatformSlug
  /** Its URL, or its id if unknown. */
  address: string
}

/** Listings named in a mail at most. */
const mostNamed = 50

/** For an account whose grant at Apple cannot be revoked. Source: Apple's technical note TN3194. */
export const removeAtApple =
  'Hapax may still stand among the apps that use your Apple Account. Remove it there: at account.apple.com choose "Sign-In and Security", then "Sign in with Apple".'

/** Sent after closing: what ended, and what the seller must end at Apple and on marketplaces. */
export const accountClosedMail = (
  to: string,
  { stillUp, keptDays, isGrantLeft }: { stillUp: StillUp[]; keptDays: number; isGrantLeft: boolean },
) =>
  mail(to, {
    subject: 'Your account is closed',
    lines: [
      'Your Hapax account was closed. All sessions, API keys, webhook addresses and connections to marketplaces have ended.',
      'Listings that are live on a marketplace stay there. Their public pages at Hapax are gone.',
      `Your data is erased in ${keptDays} days. Until then, support can open the account again.`,
      ...(isGrantLeft ? [removeAtApple] : []),
      ...toTakeDown(stillUp),
    ],
  })

/** Sent when photos of imported items are no longer copied, because the account's photos take all of its space. */
export const photosFullMail = (to: string, megabytes: number) =>
  mail(to, {
    subject: 'Your photo storage is full',
    lines: [
      `The photos of your Hapax account take ${megabytes.toLocaleString('en')} MB, which is the limit. New photos of imported items are not copied any more: Hapax shows them from the marketplace, and they disappear with the listing.`,
      'To make room, delete items that you no longer need. Hapax tries again every day.',
    ],
  })

/** Sent to a person who opened an account with Apple under an address that another account never verified. */
export const accountReplacedMail = (to: string, { shops, stillUp }: { shops: string[]; stillUp: StillUp[] }) =>
  mail(to, {
    subject: 'Your new account has your address now',
    lines: [
      'You opened a Hapax account with Apple. Another account had this address and never confirmed it, so that nobody could tell that it was yours; without the address it cannot be opened any more.',
      ...(shops.length > 0
        ? [
            `Its shops were disconnected: ${shops.join(', ')}. If they are yours, connect and import them in the new account.`,
          ]
        : []),
      ...toTakeDown(stillUp),
    ],
  })

function toTakeDown(stillUp: StillUp[]): string[] {
  if (stillUp.length === 0) return []
  return [
    'These listings were to come down, since their things are sold or it was asked for, and are not down yet. Take them down yourself:',
    ...stillUp.slice(0, mostNamed).map(({ platform, address }) => `${platformOf(platform).name}: ${address}`),
    ...(stillUp.length > mostNamed ? [`And ${stillUp.length - mostNamed} more.`] : []),
  ]
}

/** The code that registers a number. */
export const signupCodeText = (to: string, code: string) =>
  text(to, `${code} is your Hapax code. It works for 10 minutes. Nobody from Hapax will ever ask you for it.`)

/** Sent instead of a code to a number with an account, since the page must not reveal it. */
export const alreadyRegisteredText = (to: string) =>
  text(to, 'This number already has a Hapax account: sign in instead of registering. If it was not you, do nothing.')

/** Sent instead of a code to a number whose account was closed. */
export const closedAccountText = (to: string) =>
  text(to, 'This number belongs to a Hapax account that was closed. Only our support can open it again.')

/** Sent instead of a code to a number whose account was closed and erased. */
export const erasedAccountText = (to: string) =>
  text(to, 'This number belonged to a Hapax account that was closed. It cannot be used for a new account.')

/** The code that signs in by phone. */
export const signinCodeText = (to: string, code: string) =>
  text(to, `${code} is your Hapax sign-in code. It works for 10 minutes. Nobody from Hapax will ever ask you for it.`)

/** Sent to a number that asked for its email address (`hint`: the masked address). */
export const recoveredEmailText = (to: string, hint: string) =>
  text(to, `The email address of your Hapax account is ${hint}. If you did not ask for it, do nothing.`)

/** Sent when a browser gets no more notifications, because it subscribed with a key that this server no longer has. */
export const pushEndedMail = (to: string, publicUrl: string) =>
  mail(to, {
    subject: 'Notifications in a browser have stopped',
    lines: [
      'One of your browsers no longer takes notifications of Hapax: it subscribed with another key than the server has now.',
      'Open Hapax in that browser and turn notifications on again.',
    ],
    link: { label: 'Open the account', url: `${publicUrl}/app/#account` },
  })

/** An alert that means money at risk. `happened` is the alert's own sentence. */
export const alertMail = (
  to: string,
  { subject, happened, doing, link }: { subject: string; happened: string; doing: string; link: MailParts['link'] },
) =>
  mail(to, {
    subject,
    lines: [happened, doing],
    ...(link ? { link } : {}),
    notes: ['You choose in Hapax, under Account, which alerts are mailed.'],
  })
