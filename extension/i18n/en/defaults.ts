/** Messages of listing defaults and price rules. */
export const defaultsMessages = {
  'usual.tab': 'Defaults',
  'usual.title': 'Listing defaults',
  'usual.text': 'Hapax uses these for every listing unless you choose otherwise.',
  'usual.ask': 'Ask me each time',
  'usual.suggested': 'Suggested by {platform}: {name}',
  'usual.gone': 'No longer there',
  'usual.gone_text': 'Your earlier choice no longer exists on {platform}. Choose another.',
  'usual.save': 'Save',
  'usual.busy': 'Saving…',
  'usual.saved': 'Saved.',
  'usual.connect': 'No shop is connected.',
  'usual.after_address': 'Its choices appear once your address is there.',

  'units.title': 'Units',
  'units.text': 'Measurements in your listings, and the fields where you enter them.',
  'units.us': 'Inches and pounds',
  'units.metric': 'Centimeters and grams',
  'units.own': 'As usual in my country',

  'rules.title': 'Listing prices',
  'rules.text':
    'A listing’s price follows from the item’s: add 8 percent, or take off with -5. Live listings keep their price until the item’s changes.',
  'rules.percent': 'Percent',
  'rules.invalid': 'Enter a percent from -99 to 1000.',
  'rules.save': 'Save prices',
} as const
