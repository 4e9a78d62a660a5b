import { roomText } from '#extension/i18n/text.ts'

/** Messages of items that were photographed and not yet entered. */
export const { text } = roomText({
  'drafts.text':
    'A photo or a title is enough. Drafts stay on this device until they are sent, also without a network.',
  'drafts.name': 'Title (optional)',
  'drafts.keep': 'Keep draft',
  'drafts.nothing': 'Add a photo or a title.',
  'drafts.sent': 'In your inventory',
  'drafts.waiting': 'On this device',
  'drafts.unsent': 'Waiting to be sent',
  'drafts.shared': 'Shared with Hapax by another app or site. Keep it only if you shared it.',
  'drafts.not_kept':
    'Nothing shared was kept. Share at most 30 photos of 15 MB from an app. This device may also be full.',
  'drafts.refused': 'Not sent. {reason}',
  'drafts.untitled': 'Without a title',
  'drafts.remove': 'Delete draft “{title}”',
})
