import { roomText } from '#extension/i18n/text.ts'

/** Messages of the page about automatic take-downs. */
export const { text, textIfAny } = roomText({
  'shops.platforms': 'Platforms',

  'downs.title': 'Automatic take-downs',
  'downs.lead':
    'When an item sells on one marketplace, Hapax can end its listing on these in your browser, so that nobody buys it twice.',
  'downs.on_web':
    'They run in the Hapax extension, in the browser where you are signed in to the marketplaces. Turn them on there, under Shops.',
  'downs.state.off': 'Off. You end sold listings yourself.',
  'downs.state.on': 'On in this browser',
  'downs.state.running': 'Ending “{title}”',
  'downs.turn_on': 'Turn on…',
  'downs.log': 'Log',
  'downs.log_empty': 'Nothing yet. Each attempt is shown here, with what was pressed and how it ended.',
  'downs.log_text': 'The newest 200 attempts of the last 90 days.',
  'downs.pressed': 'Pressed {words}.',
  'downs.pressed_none': 'Pressed nothing.',
  'downs.seen': 'The page showed “{seen}”.',
  'downs.closed': 'Tab closed.',
  'downs.left_open': 'Tab left open.',
  'downs.other_browser': 'In another browser.',
  'downs.took': { one: 'Took {n} second.', other: 'Took {n} seconds.' },
  'downs.result.ended': 'Ended',
  'downs.result.already_down': 'Had ended already',
  'downs.result.sold_there': 'Sold there too',
  'downs.result.signed_out': 'Stopped: signed out',
  'downs.result.other_account': 'Stopped: another seller’s listing',
  'downs.result.other_listing': 'Stopped: the title differs',
  'downs.result.other_page': 'Stopped: the page changed',
  'downs.result.unknown_dialog': 'Stopped: an unknown question',
  'downs.result.challenge': 'Stopped: a check for humans',
  'downs.result.open_offer': 'Stopped: an open offer or a bundle',
  'downs.result.no_button': 'Stopped: a button is missing',
  'downs.result.still_live': 'Still live after the last press',
  'downs.result.unreadable': 'Stopped: the listing could not be read',
  'downs.result.tab_closed': 'Stopped: the tab was closed',
  'downs.result.taken_over': 'Stopped: you took over',
  'downs.result.stopped': 'Stopped by you',
  'downs.result.task_over': 'Stopped: no longer needed',
  'downs.result.no_server': 'Stopped: Hapax could not be reached',
  'downs.result.timed_out': 'Stopped: it took too long',

  'downs.set_up.title': 'Automatic take-downs on {platform}',
  'downs.set_up.lead':
    'When an item sells elsewhere, Hapax can end its listing on {platform} in your browser, so that nobody buys it twice.',
  'downs.set_up.does': 'What Hapax does',
  'downs.set_up.does.1':
    'It waits until an item has sold on another marketplace. Items that are held, withdrawn or refunded, or that you marked as sold, are left to you.',
  'downs.set_up.does.2': 'It opens the item’s listing on {platform} in a background tab, with your own sign-in.',
  'downs.set_up.does.3': 'It checks that the listing is yours, has the item’s title and is still for sale.',
  'downs.set_up.how.poshmark':
    'It sets the listing to “Not For Sale” in the edit form and saves that. If the sale falls through, set it to “For Sale” again. Where the form has no such choice, it deletes the listing.',
  'downs.set_up.how.mercari':
    'It deactivates the listing. If the sale falls through, activate it again. Where the page has no such button, it deletes the listing.',
  'downs.set_up.how.depop':
    'It deletes the listing, because Depop cannot pause one. A deleted listing does not come back. If the sale falls through, list the item again.',
  'downs.set_up.does.5': 'It reads the listing again, closes the tab and writes into the log what it pressed.',
  'downs.set_up.stops':
    'It stops at a sign-in, a check for humans, an open offer, an unknown question or page. It tries each listing once. Then it leaves the page open and tells you the next step.',
  'downs.set_up.never': 'What it never does',
  'downs.set_up.never.1': 'List, share, follow, like, comment, answer offers, or change anything else of a listing.',
  'downs.set_up.never.2': 'Open more than one tab at a time, or more than {n} in an hour.',
  'downs.set_up.never.3': 'Work while you look at {platform}. Click into its tab, and it hands over to you.',
  'downs.set_up.rules': 'What {platform}’s rules say',
  'downs.set_up.rules_text':
    '{platform}’s terms forbid automated tools or may restrict them. If {platform} objects, it may limit or close your account. Read its rules before you decide.',
  'downs.set_up.rules_link': '{platform}’s rules',
  'downs.set_up.agree': 'I have read this. End my sold listings on {platform} from this browser.',
  'downs.set_up.turn_on': 'Turn on for {platform}',
})
