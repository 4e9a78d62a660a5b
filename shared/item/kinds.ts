/** A kind of thing, with the wider kinds that it is one of, the closest first. */
export interface Kind {
  isA: readonly string[]
  /** Words and phrases of titles and categories. Singular where a plural means the same. */
  words: readonly string[]
  /** Words that name it in categories alone, where a title means something else: "Home", "Brass". */
  headings: readonly string[]
  /** Makes and models that say it where no word does: "Nikkor 50mm". */
  models: readonly string[]
  /** The people whom it is for, unless a title says otherwise. */
  who: 'men' | 'women' | null
  /** Its title is about something else: a book about hats, a doll in a dress. */
  depicts: boolean
}

/** The English names of kinds of things, in titles of sellers and in categories of marketplaces. */
export const kinds: Readonly<Record<string, Kind>> = {
  // Clothing.
  ...kind('worn', '', ''),
  ...kind('clothing', 'worn', 'clothing, apparel, clothes'),
  ...kind('coat', 'clothing', 'coat, overcoat, topcoat, greatcoat, duffle coat, duster, duster coat, barn coat', {
    headings: 'outerwear',
  }),
  ...kind('trench', 'coat', 'trench coat, trench, trenchcoat'),
  ...kind('peacoat', 'coat', 'peacoat, reefer coat'),
  ...kind('raincoat', 'coat', 'raincoat, rain coat, rain jacket, mackintosh, slicker'),
  ...kind('parka', 'coat, jacket', 'parka, anorak'),
  ...kind('cape', 'coat', 'cape, poncho, cloak, capelet, ruana'),
  ...kind('jacket', 'clothing', 'jacket, shacket, chore coat, field jacket, shirt jacket, shell jacket, barbour', {
    headings: 'outerwear',
  }),
  ...kind(
    'denim jacket',
    'jacket',
    'jean jacket, denim jacket, trucker jacket, denim trucker jacket, denim jean jacket',
  ),
  ...kind(
    'leather jacket',
    'jacket',
    'leather jacket, motorcycle jacket, biker jacket, moto jacket, leather motorcycle jacket, leather biker jacket, leather coat',
  ),
  ...kind('puffer', 'jacket, coat', 'puffer, puffer jacket, puffer coat, down jacket, down coat, down parka, nuptse'),
  ...kind('windbreaker', 'jacket', 'windbreaker, wind breaker'),
  ...kind(
    'bomber',
    'jacket',
    'bomber, bomber jacket, varsity jacket, varsity, letterman, flight jacket, letterman jacket',
  ),
  ...kind('fleece', 'jacket', 'fleece jacket'),
  ...kind(
    'blazer',
    'suit, jacket',
    'blazer, sport coat, sports coat, suit jacket, sportcoat, dinner jacket, sports jacket',
    {
      headings: 'tailored jacket',
    },
  ),
  ...kind('vest', 'jacket, clothing', 'vest, waistcoat, gilet'),
  ...kind('down vest', 'vest', 'down vest, puffer vest, fleece vest'),
  ...kind('sweater vest', 'vest, sweater', 'sweater vest, knit vest'),
  ...kind('suit', 'clothing', 'suit, pantsuit, pant suit, skirt suit, 2 piece suit, 3 piece suit'),
  ...kind('tuxedo', 'suit', 'tuxedo, tux'),
  ...kind('top', 'clothing', 'top, blusa, shell top, halter'),
  ...kind('camisole', 'top', 'camisole, cami, tank top, tank, tube top, muscle tee', { headings: 'vests tanks' }),
  ...kind('tunic', 'top', 'tunic, kaftan top'),
  ...kind('crop top', 'top', 'crop top'),
  ...kind('bodysuit', 'top', 'bodysuit, leotard'),
  ...kind('blouse', 'top', 'blouse, peasant top', { who: 'women' }),
  ...kind('shirt', 'top', 'shirt, overshirt'),
  ...kind(
    'casual shirt',
    'shirt',
    'button down, button up, flannel shirt, western shirt, hawaiian shirt, aloha shirt, work shirt, bowling shirt, board shirt, camp shirt, flannel, oxford shirt, pearl snap, pearl snap shirt, button front, chambray shirt, denim shirt, button down shirt, button up shirt, casual shirt, guayabera',
    { headings: 'casual button down shirt, oxfords button down' },
  ),
  ...kind('dress shirt', 'shirt', 'dress shirt, oxford dress shirt, tuxedo shirt'),
  ...kind('tee', 'shirt', 'tshirt, tee, tee shirt, graphic tee, concert tee, henley'),
  ...kind('polo', 'shirt', 'polo, polo shirt, golf shirt, rugby shirt', { headings: 'polo rugby' }),
  ...kind('jersey', 'shirt', 'jersey, football jersey, hockey jersey, basketball jersey, baseball jersey'),
  ...kind('sweater', 'clothing, top', 'sweater, jumper, pullover, knitwear, crewneck sweater, jersey sweater'),
  ...kind('turtleneck', 'sweater', 'turtleneck, turtle neck, mock neck, roll neck'),
  ...kind('crewneck', 'sweater', 'crewneck, crew neck'),
  ...kind('cardigan', 'sweater', 'cardigan, twinset, twin set, shrug'),
  ...kind('sweatshirt', 'activewear, shirt, top', 'sweatshirt, half zip fleece, quarter zip, crewneck sweatshirt', {
    headings: 'sweats hoodies, sweatshirts hoodies, hoodies sweatshirts, sweatshirt pullover',
  }),
  ...kind('hoodie', 'sweatshirt', 'hoodie, hooded sweatshirt, zip hoodie', { headings: 'sweats hoodies, hooded' }),
  ...kind(
    'dress',
    'clothing',
    'dress, gown, sundress, shirt dress, sweater dress, minidress, wrap dress, frock, shift dress',
    {
      who: 'women',
    },
  ),
  ...kind('midi dress', 'dress', 'midi dress, tea length dress', { who: 'women' }),
  ...kind('maxi dress', 'dress', 'maxi dress', { who: 'women' }),
  ...kind('mini dress', 'dress', 'mini dress', { who: 'women' }),
  ...kind('wedding dress', 'dress', 'wedding dress, wedding gown, bridal gown, bridal dress', {
    who: 'women',
    headings: 'wedding',
  }),
  ...kind('prom dress', 'dress', 'prom dress, prom gown', { who: 'women' }),
  ...kind('skirt', 'clothing', 'skirt, skort, wrap skirt, kilt, kilt skirt', { who: 'women' }),
  ...kind(
    'pants',
    'bottoms, clothing',
    'pants, trouser, chino, slacks, cargo pants, corduroys, khakis, dress pants, cords, culottes, capris, ski pants, work pants',
  ),
  ...kind('leggings', 'pants', 'legging, yoga pants, jeggings'),
  ...kind('sweatpants', 'pants, tracksuit', 'sweatpants, jogger, track pants'),
  ...kind('bottoms', 'clothing', 'bottoms'),
  ...kind('jeans', 'pants', 'jeans, bell bottoms, denim pants, denim jeans, jean pants, dungaree jeans', {
    models: '501, 505, 517, 550',
  }),
  ...kind('shorts', 'bottoms, clothing', 'shorts, bermudas, cutoffs, jean shorts, denim shorts, cargo shorts'),
  ...kind('jumpsuit', 'clothing', 'jumpsuit, romper, playsuit, boilersuit, boiler suit, flight suit, coverall'),
  ...kind('overalls', 'jumpsuit, bottoms', 'overalls, dungarees, bib overalls, shortalls'),
  ...kind('onesie', 'clothing', 'onesie, romper, one piece outfit, sleeper, babygrow, sleepsuit', {
    headings: 'one piece',
  }),
  ...kind(
    'swimwear',
    'clothing',
    'swimsuit, swimwear, swim trunk, swim suit, bathing suit, board shorts, boardshorts, swim shorts, one piece swimsuit, tankini, bikini, swim',
    { headings: 'one piece' },
  ),
  ...kind(
    'underwear',
    'clothing',
    'underwear, boxers, boxer briefs, briefs, undershirt, long johns, union suit, panties',
  ),
  ...kind(
    'lingerie',
    'underwear, nightwear',
    'lingerie, bra, bralette, corset, slip, chemise, bustier, garter belt, girdle',
    {
      who: 'women',
      headings: 'intimates',
    },
  ),
  ...kind('nightwear', 'clothing', 'pajama, pyjama, nightgown, sleepwear, nightshirt, nightie, pjs', {
    headings: 'sleep',
  }),
  ...kind('robe', 'nightwear', 'robe, kimono, bathrobe, housecoat, smoking jacket, dressing gown'),
  ...kind('activewear', 'clothing', 'activewear, athletic apparel'),
  ...kind('tracksuit', 'activewear', 'tracksuit, track suit, jogging suit, sweatsuit', { headings: 'tracksuits' }),
  ...kind('track jacket', 'activewear, jacket', 'track jacket, track top'),
  ...kind('costume', 'clothing', 'costume, halloween costume, cosplay', { headings: 'fancy dress' }),
  ...kind('uniform', 'clothing', 'uniform, scrubs'),
  ...kind('socks', 'clothing, underwear, accessory', 'sock, tights, stocking, hosiery, pantyhose, leg warmers'),
  // Accessories.
  ...kind('accessory', 'worn', 'accessories'),
  ...kind('scarf', 'accessory', 'scarf, shawl, wrap, bandana, pashmina, kerchief, stole, babushka'),
  ...kind(
    'hat',
    'accessory',
    'hat, cap, beanie, beret, fedora, snapback, baseball cap, trucker hat, bucket hat, cowboy hat, stetson, visor, ball cap, newsboy cap, panama hat',
  ),
  ...kind('belt', 'accessory', 'belt'),
  ...kind('buckle', 'accessory', 'belt buckle, buckle'),
  ...kind('suspenders', 'accessory', 'suspenders, braces'),
  ...kind('gloves', 'accessory', 'glove, mitten, driving glove'),
  ...kind('tie', 'accessory', 'necktie, neck tie, tie, bow tie, bowtie, cravat, ascot, silk tie, bolo tie', {
    who: 'men',
  }),
  ...kind('pocket square', 'accessory', 'pocket square, handkerchief, hankie'),
  ...kind('sunglasses', 'accessory', 'sunglasses, eyeglasses, eyewear, shades, spectacles', {
    models: 'ray ban, rayban, wayfarer, persol',
  }),
  ...kind(
    'wallet',
    'accessory, bag',
    'wallet, cardholder, card holder, coin purse, billfold, money clip, bifold, card case',
    {
      headings: 'wallet purses, key card holders',
    },
  ),
  ...kind('keychain', 'accessory, collectible', 'keychain, key chain, key ring, key fob'),
  ...kind('umbrella', 'accessory, goods', 'umbrella, parasol'),
  ...kind('patch', 'accessory, craft', 'patch, applique'),
  ...kind(
    'hair accessory',
    'accessory',
    'hair clip, barrette, headband, scrunchie, hair comb, tiara, hair accessories',
  ),
  // Shoes.
  ...kind('shoes', 'worn', 'shoe, footwear'),
  ...kind('boots', 'shoes', 'boot, work boot, riding boot, engineer boot, hiking boot', {
    models: 'doc martens, dr martens, red wing, frye',
  }),
  ...kind('ankle boots', 'boots', 'ankle boot, booties, chelsea boot, bootie, chukka, desert boot'),
  ...kind('cowboy boots', 'boots', 'cowboy boot, western boot, roper boot'),
  ...kind('combat boots', 'boots', 'combat boot, moto boot, jump boot, combat moto boot'),
  ...kind('rain boots', 'boots', 'rain boot, snow boot, winter boot, wellington', {
    headings: 'winter rain boots, rain snow boots',
  }),
  ...kind(
    'sneakers',
    'shoes',
    'sneaker, trainers, athletic shoe, running shoe, high top, tennis shoe, basketball shoe, skate shoe, cleat, runners, trail runners, walking shoe',
    {
      headings: 'athletic',
      models: 'air jordan, jordan 1, air max, air force 1, chuck taylor, all star, yeezy, vans old skool, stan smith',
    },
  ),
  ...kind('heels', 'shoes', 'heels, pumps, stilettos, high heels, platform heels, slingbacks, kitten heels', {
    who: 'women',
    headings: 'court',
  }),
  ...kind('loafers', 'shoes', 'loafer, moccasin, penny loafer, slip ons, boat shoe, driving moc, top sider'),
  ...kind(
    'oxfords',
    'shoes',
    'oxford shoe, brogue, derby shoe, wingtip, dress shoe, saddle shoe, oxfords, derbys, monk strap',
    {
      headings: 'oxford, tie shoe',
    },
  ),
  ...kind('sandals', 'shoes', 'sandal, flip flop, espadrille, huarache, slides, wedges', {
    models: 'birkenstock arizona',
  }),
  ...kind('flats', 'shoes', 'flats, ballet flat, mary jane', { who: 'women', headings: 'ballet shoe' }),
  ...kind('clogs', 'shoes', 'clogs, clog, mules'),
  ...kind('slippers', 'shoes', 'slipper, house shoe'),
  ...kind('baby shoes', 'shoes', 'baby shoes, first shoes, baby booties, baby boots, infant shoes'),
  // Bags.
  ...kind('bag', 'worn', 'bag'),
  ...kind(
    'handbag',
    'bag',
    'handbag, purse, pocketbook, satchel, shoulder bag, hobo, hobo bag, bucket bag, bowling bag, minaudiere, baguette bag, top handle bag',
    {
      who: 'women',
      models: 'speedy 30, neverfull, birkin',
    },
  ),
  ...kind('tote', 'bag, handbag', 'tote, tote bag, shopper, boat and tote'),
  ...kind('backpack', 'bag', 'backpack, rucksack, book bag, bookbag, knapsack', { models: 'kanken' }),
  ...kind('clutch', 'handbag', 'clutch, evening bag, clutch bag, wristlet', { who: 'women' }),
  ...kind('crossbody', 'bag, handbag', 'crossbody, crossbody bag, cross body, cross body bag'),
  ...kind('messenger', 'bag', 'messenger bag, messenger, laptop bag'),
  ...kind('fanny pack', 'bag', 'fanny pack, belt bag, waist pack, bum bag'),
  ...kind('briefcase', 'bag', 'briefcase, attache, attache briefcase, portfolio case'),
  ...kind(
    'luggage',
    'bag',
    'luggage, suitcase, duffel bag, duffel, duffle bag, garment bag, train case, steamer trunk, carry on',
    {
      headings: 'travel bag',
    },
  ),
  ...kind('toiletry bag', 'bag', 'toiletry bag, dopp kit, cosmetic bag, makeup bag, toiletry'),
  // Jewelry.
  ...kind(
    'jewelry',
    'worn',
    'jewelry, jewellery, parure, cufflink, cuff link, tie clip, tie tack, tie bar, jewelry set',
  ),
  ...kind('necklace', 'jewelry', 'necklace, pendant, locket, choker, pendant necklace, rosary, lavalier'),
  ...kind('bracelet', 'jewelry', 'bracelet, bangle, cuff bracelet, charm bracelet, anklet'),
  ...kind('earrings', 'jewelry', 'earring, stud earring, hoop earring, clip on earring', { who: 'women' }),
  ...kind('ring', 'jewelry', 'ring, signet ring, wedding band, engagement ring, class ring'),
  ...kind('brooch', 'jewelry', 'brooch, cameo, stick pin, scatter pin, brooch pin', { who: 'women' }),
  ...kind('watch', 'jewelry, accessory', 'watch, chronograph, timepiece', {
    models: 'g shock, speedmaster, seamaster, rolex',
  }),
  ...kind('wristwatch', 'watch', 'wristwatch, wrist watch, dive watch, automatic watch, digital watch', {
    models: 'seiko 5',
  }),
  ...kind('pocket watch', 'watch', 'pocket watch, railroad watch'),
  ...kind(
    'watch band',
    'accessory, jewelry',
    'watch band, watch strap, watch bracelet, wristwatch band, watchband, watch accessories',
  ),
  // Electronics.
  ...kind('goods', '', 'everything else'),
  ...kind('electronics', 'goods', 'electronics'),
  ...kind(
    'camera gear',
    'electronics',
    'camera equipment, camera accessories, photo accessories, flash, tripod, light meter, film back, viewfinder, darkroom, enlarger',
    {
      headings: 'camera photo accessories, cameras accessories, cameras photography, camera photo, photo',
    },
  ),
  ...kind('camera', 'camera gear', 'camera'),
  ...kind(
    'film camera',
    'camera',
    '35mm camera, film camera, rangefinder, slr, tlr, box camera, folding camera, slr camera, rangefinder camera, medium format camera, stereo camera, slr film camera, 35mm slr, point and shoot film camera',
    {
      models:
        'ae 1, a 1 program, k1000, nikon f3, nikon f2, nikon fm2, nikon fe, nikon f, leica m3, leica m6, rolleiflex, rolleicord, hasselblad, mamiya, olympus om 1, om 1, om1, pentax, minolta x 700, x 700, srt 101, canonet, zeiss ikon, argus c3, brownie, yashica, voigtlander, kodak retina, contax, olympus xa, trip 35',
    },
  ),
  ...kind('digital camera', 'camera', 'digital camera, dslr, mirrorless, mirrorless camera, dslr camera, digital slr', {
    models: 'powershot, coolpix, cybershot, cyber shot, eos rebel, lumix, digital elph, easyshare, finepix, mavica',
  }),
  ...kind('instant camera', 'camera', 'instant camera, land camera', { models: 'sx 70, polaroid, instax' }),
  ...kind('camcorder', 'camera', 'camcorder, video camera, movie camera, cine camera, 8mm camera, super 8 camera', {
    models: 'handycam, bolex',
  }),
  ...kind('lens', 'camera gear', 'lens, lenses, zoom lens, camera lens, prime lens, telephoto, macro lens', {
    headings: 'lenses filters',
    models: 'nikkor, summicron, takumar, rokkor, zuiko, planar, sonnar',
  }),
  ...kind('camera bag', 'camera gear', 'camera bag, camera case, lens case, bag for camera', {
    headings: 'bags cases, cases bags covers, electronics case',
  }),
  ...kind('camera strap', 'camera gear', 'camera strap, lens cap, lens hood', { headings: 'strap, hand grip' }),
  ...kind('binoculars', 'camera gear', 'binocular, telescope, opera glasses, field glasses, spotting scope'),
  ...kind('film', 'camera gear', 'roll film, 35mm film, expired film'),
  ...kind(
    'audio',
    'electronics',
    'home audio, audio, boombox, portable audio, hifi, hi fi, walkman, cassette player, reel to reel, tape deck, receiver, stereo receiver, amplifier receiver, cd player, equalizer',
    {
      models: 'ipod, sansui, pioneer sx, discman',
    },
  ),
  ...kind('headphones', 'audio', 'headphone, earbuds, earphones, headset'),
  ...kind('radio', 'audio', 'radio, transistor radio, tube radio, shortwave receiver'),
  ...kind('record player', 'audio', 'record player, turntable, phonograph, victrola, gramophone', {
    models: 'technics sl',
  }),
  ...kind('speakers', 'audio', 'speaker, loudspeaker, bookshelf speaker'),
  ...kind('phone', 'electronics', 'phone, smartphone, cell phone, cellphone, mobile phone, flip phone', {
    headings: 'cell phones, cell phones smartphones',
    models: 'iphone, galaxy s, blackberry, razr',
  }),
  ...kind('phone case', 'electronics, accessory', 'phone case, iphone case, cell phone case, phone cover', {
    headings: 'cases covers skins, cell phone accessories',
  }),
  ...kind('computer', 'electronics', 'computer, desktop computer, monitor, motherboard, pc, printer', {
    headings: 'tablets',
    models: 'commodore 64, apple ii, macintosh',
  }),
  ...kind('laptop', 'computer', 'laptop, notebook computer, netbook, chromebook, laptop computer', {
    models: 'thinkpad, macbook',
  }),
  ...kind('tablet', 'computer', 'tablet computer, ereader', { models: 'ipad, kindle' }),
  ...kind('keyboard', 'computer', 'computer keyboard, mechanical keyboard', {
    headings: 'keyboard',
    models: 'model m keyboard',
  }),
  ...kind('laptop case', 'electronics, accessory', 'laptop case, laptop sleeve', { headings: 'laptop cases bag' }),
  ...kind('typewriter', 'collectible, electronics', 'typewriter', {
    models: 'olivetti lettera, hermes 3000, smith corona',
  }),
  ...kind('calculator', 'electronics', 'calculator, slide rule'),
  // Media: titles that are about something else.
  ...kind('media', 'electronics, goods', '', { headings: 'books movies music, media' }),
  ...kind(
    'book',
    'media',
    'book, novel, hardcover, paperback, hardback, first edition, hbdj, coffee table book, picture book, textbook, bible, hymnal, yearbook, hcdj, 1st edition, softcover, childrens book, board book, little golden book, isbn',
    { depicts: true },
  ),
  ...kind('cookbook', 'book', 'cookbook, cook book, recipe book', { depicts: true }),
  ...kind('magazine', 'book', 'magazine', { depicts: true }),
  ...kind('comic', 'collectible, media', 'comic, comic book, graphic novel, manga, comics', { depicts: true }),
  ...kind(
    'record',
    'media',
    'vinyl record, record, lp, vinyl lp, 45 rpm, 33 rpm, 78 rpm, 12 inch single, vinyl album',
    {
      depicts: true,
      headings: 'vinyl, cds vinyl, recorded audio',
    },
  ),
  ...kind('cd', 'media', 'cd, compact disc, cd box set', { depicts: true, headings: 'cds vinyl, recorded audio' }),
  ...kind('cassette', 'media', 'cassette, cassette tape, 8 track, 8 track tape', {
    depicts: true,
    headings: 'recorded audio, cds vinyl',
  }),
  ...kind('movie', 'media', 'movie', { depicts: true }),
  ...kind('dvd', 'movie', 'dvd, blu ray, bluray, bluray disc, dvds', { depicts: true }),
  ...kind('vhs', 'movie', 'vhs, vhs tape, laserdisc', { depicts: true }),
  ...kind('sheet music', 'media', 'sheet music, songbook, song book', { depicts: true }),
  ...kind('gaming', 'electronics', 'video gaming'),
  ...kind(
    'game accessory',
    'gaming',
    'video game accessories, gamepad, joystick, video game controller, game controller, memory card, controller',
  ),
  ...kind(
    'video game',
    'gaming',
    'video game, game cartridge, nes game, snes game, n64 game, gameboy game, game boy game, ps2 game, ps1 game, xbox game, sega game, genesis game, switch game, cartridge',
    {
      depicts: true,
      headings: 'games',
      models: 'super mario, legend of zelda',
    },
  ),
  ...kind('console', 'gaming', 'console, video game console, game console, handheld console', {
    models:
      'playstation, xbox 360, nintendo 64 console, sega genesis, game boy, gameboy, super nintendo, nintendo switch, atari 2600',
  }),
  // Toys.
  ...kind('toy', 'goods', 'toy, playset, teddy', { headings: 'toys games, toys hobbies' }),
  ...kind('board game', 'toy', 'board game, card game, chess set, chess, dominoes, mahjong set, backgammon', {
    headings: 'game, games puzzles, puzzles games, board traditional games',
    models: 'monopoly, scrabble, trivial pursuit',
  }),
  ...kind('puzzle', 'toy', 'puzzle, jigsaw, jigsaw puzzle, rubiks cube', {
    depicts: true,
    headings: 'games puzzles, puzzles games',
  }),
  ...kind('action figure', 'toy', 'action figure', {
    depicts: true,
    headings: 'figures, dolls action figures, action figures playsets, action figures statues',
    models: 'gi joe, g i joe, kenner star wars, he man, motu, tmnt, funko pop, funko, transformers',
  }),
  ...kind('doll', 'toy', 'doll, porcelain doll, paper doll, doll house', {
    depicts: true,
    headings: 'dolls miniatures, dolls accessories, dolls action figures, dolls bears',
    models: 'barbie, american girl, cabbage patch, madame alexander, bratz',
  }),
  ...kind(
    'doll clothes',
    'toy, doll',
    'doll clothes, doll dress, doll outfit, doll shoes, doll coat, doll hat, doll clothing, barbie clothes, barbie dress, barbie outfit',
    {
      headings: 'doll clothing accessories, dolls accessories',
    },
  ),
  ...kind('dollhouse', 'doll, toy', 'dollhouse, dollhouse miniature, dollhouse furniture'),
  ...kind('plush', 'toy', 'plush, stuffed animal, teddy bear, plushie, plush toy, stuffed bear', {
    depicts: true,
    headings: 'bear, stuffed animals plush',
    models: 'beanie baby, beanie babies, steiff, squishmallow, care bear, jellycat',
  }),
  ...kind(
    'building toy',
    'toy',
    'lego, lego set, building toy, building set, building block, erector set, minifigure, lincoln logs, tinkertoy',
    {
      depicts: true,
      headings: 'building sets blocks',
    },
  ),
  ...kind(
    'toy vehicle',
    'toy',
    'diecast, diecast car, die cast, toy car, toy truck, model car, model kit, slot car, pedal car, toy vehicle, die cast car',
    {
      depicts: true,
      headings: 'vehicle, cars vehicles, trains vehicles',
      models: 'hot wheels, matchbox, tonka, dinky, corgi toys, matchbox lesney',
    },
  ),
  ...kind(
    'train',
    'toy',
    'model train, train set, locomotive, ho scale, o gauge, n scale, model railroad, toy train, boxcar',
    {
      headings: 'trains vehicles, model railroads trains, vehicle',
      models: 'lionel',
    },
  ),
  ...kind('trading card', 'collectible, toy', 'trading card, card lot, playing card', { depicts: true }),
  ...kind('game card', 'trading card', 'holo card, collectible card, pokemon card, yugioh card, magic card', {
    depicts: true,
    headings: 'ccg, ccg individual cards, collectible card games',
    models: 'pokemon, yugioh, yu gi oh, magic the gathering, mtg, charizard',
  }),
  ...kind(
    'sports card',
    'trading card',
    'baseball card, football card, basketball card, hockey card, rookie card, sports card, rookie rc, sports trading card, trading card single',
    {
      depicts: true,
      models: 'topps, fleer, upper deck, bowman, donruss, psa 9, psa 10',
    },
  ),
  ...kind('learning toy', 'toy', 'learning toy, rattle, pull toy, fisher price'),
  // Home.
  ...kind('home', 'goods', 'home decor, housewares', { headings: 'home garden, home living, home' }),
  ...kind('wall decor', 'decor', 'wall hanging, wall decor, tapestry'),
  ...kind('decor', 'home', 'wreath, decorative box, trinket box, snow globe, music box, jewelry box, door stop', {
    headings: 'decor, accents, decor home accesories, decorative collectibles, ornaments accents',
  }),
  ...kind('lighting', 'decor', 'lighting, sconce, light fixture'),
  ...kind('ceiling light', 'lighting', 'chandelier, ceiling light, pendant light, ceiling fixture'),
  ...kind('lantern', 'lighting', 'lantern'),
  ...kind('lamp', 'lighting', 'lamp, table lamp, floor lamp, desk lamp, banker lamp, lava lamp'),
  ...kind('oil lamp', 'lamp', 'oil lamp, kerosene lamp, hurricane lamp'),
  ...kind('lamp shade', 'lighting', 'lamp shade, lampshade'),
  ...kind('vase', 'decor, pottery, glass art', 'vase, bud vase, urn, planter, jardiniere'),
  ...kind(
    'figurine',
    'decor, collectible',
    'figurine, statuette, bobblehead, nutcracker, knick knack, figurine set, bust',
    {
      depicts: true,
      headings: 'figurines knick knacks, action figures statues',
      models: 'hummel, lladro, precious moments, royal doulton lady',
    },
  ),
  ...kind(
    'candle holder',
    'decor',
    'candle holder, candlestick, candelabra, candle stick, votive, candlestick holder',
    {
      headings: 'candle, candles holders',
    },
  ),
  ...kind('clock', 'decor', 'clock, mantel clock, wall clock, cuckoo clock, grandfather clock, desk clock'),
  ...kind('mirror', 'decor', 'mirror, wall mirror, hand mirror'),
  ...kind('picture frame', 'decor', 'picture frame, photo frame'),
  ...kind('pillow', 'decor, bedding', 'pillow, cushion, throw pillow, pillowcase, pillow cover', {
    headings: 'soft furnishing',
  }),
  ...kind('ornament', 'holiday, decor', 'ornament, christmas ornament, tree ornament, tree topper', { depicts: true }),
  ...kind(
    'holiday',
    'home, collectible',
    'christmas decoration, halloween decoration, blow mold, nativity set, nativity, christmas village',
    {
      headings: 'holiday, seasonal decor, christmas, halloween, seasonal',
    },
  ),
  ...kind('rug', 'decor', 'rug, carpet, area rug, runner rug, kilim', { headings: 'soft furnishings textiles' }),
  ...kind('door mat', 'rug', 'door mat, doormat'),
  ...kind('curtains', 'decor', 'curtain, drapes, valance'),
  ...kind(
    'furniture',
    'decor, home',
    'furniture, dresser, cabinet, bookcase, sofa, couch, desk, nightstand, credenza, sideboard, hutch, shelf, coat rack, headboard, quilt rack, magazine rack',
  ),
  ...kind(
    'chair',
    'furniture',
    'chair, armchair, rocking chair, stool, bar stool, ottoman, bench, recliner, lounge chair',
  ),
  ...kind('table', 'furniture', 'table, coffee table, side table, end table, dining table, card table'),
  ...kind('bedding', 'home', 'bedding, sheet set, bed sheet, comforter, duvet, duvet cover, bedspread, pillow sham', {
    headings: 'soft furnishings textiles',
  }),
  ...kind('quilt', 'bedding', 'quilt, patchwork quilt, quilt top, coverlet', { headings: 'quilts duvets' }),
  ...kind('blanket', 'bedding', 'blanket, throw, throw blanket, afghan, crochet blanket, camp blanket', {
    headings: 'blankets throws',
  }),
  ...kind(
    'table linens',
    'dining, kitchen',
    'table linen, napkin, placemat, table runner, doily, dish towel, tea towel',
    {
      headings: 'soft furnishings textiles',
    },
  ),
  ...kind('tablecloth', 'table linens', 'tablecloth, table cloth'),
  ...kind('towel', 'home', 'towel, bath towel, beach towel, bath mat'),
  ...kind(
    'kitchen',
    'home',
    'kitchen, kitchenware, cookie jar, canister set, toaster, mixer, stand mixer, blender, coffee grinder, waffle iron, rolling pin, cookie cutter, recipe box, utensil, coffee maker, kitchen scale',
    {
      headings: 'kitchen dining',
    },
  ),
  ...kind('dining', 'home', 'dining', { headings: 'kitchen dining' }),
  ...kind(
    'cookware',
    'kitchen',
    'cookware, skillet, dutch oven, frying pan, saucepan, cast iron skillet, cast iron pan, stockpot, casserole, wok, roasting pan',
    {
      models: 'le creuset, griswold, all clad',
    },
  ),
  ...kind('bakeware', 'cookware', 'bakeware, cake pan, muffin pan, bundt pan, pie plate, loaf pan, cake mold'),
  ...kind('knife', 'kitchen', 'kitchen knife, chef knife, cutlery, knife set'),
  ...kind(
    'pocket knife',
    'tool, collectible',
    'pocket knife, knife, folding knife, hunting knife, sword, bayonet, pocketknife',
  ),
  ...kind(
    'dinnerware',
    'dining, kitchen',
    'dinnerware, china, dinner set, tableware, dish set, dishes, china set, gravy boat',
    {
      headings: 'pottery china',
      models: 'fiestaware, fiesta ware, wedgwood, noritake, spode, royal albert, corelle, franciscan desert rose',
    },
  ),
  ...kind('plate', 'dinnerware', 'plate, dinner plate, saucer, salad plate, bread plate, collector plate, cake plate'),
  ...kind(
    'bowl',
    'dinnerware, serveware',
    'bowl, mixing bowl, serving bowl, salad bowl, nesting bowl, soup bowl, punch bowl',
    { models: 'pyrex' },
  ),
  ...kind(
    'serveware',
    'dining, kitchen',
    'serveware, platter, serving tray, serving dish, creamer, sugar bowl, pitcher, salt and pepper, salt pepper shakers, shaker set, butter dish, cake stand, tray',
    {
      headings: 'tabletop',
    },
  ),
  ...kind(
    'teapot',
    'serveware, coffee',
    'teapot, tea pot, tea set, coffee pot, kettle, tea kettle, samovar, tea service',
    {
      headings: 'teapots coffee pots kettles, teapots tea sets, coffee tea',
    },
  ),
  ...kind('coffee', 'kitchen', 'coffee maker, percolator, french press, espresso machine', { headings: 'coffee tea' }),
  ...kind(
    'drinkware',
    'dining, dinnerware, kitchen',
    'drinkware, tumbler, beer stein, stein, flask, thermos, water bottle, glassware, barware',
  ),
  ...kind(
    'cup',
    'drinkware',
    'cup, mug, teacup, tea cup, coffee mug, coffee cup, cup and saucer, cup saucer, tea cup and saucer, tea cup saucer, teacup saucer, demitasse',
    {
      headings: 'cups mugs saucers, tea cups sets',
    },
  ),
  ...kind(
    'glass',
    'drinkware',
    'wine glass, goblet, drinking glass, highball glass, champagne flute, champagne coupe, shot glass, juice glass, pint glass, rocks glass, glasses',
    {
      headings: 'glassware drinkware, glass',
    },
  ),
  ...kind('decanter', 'drinkware', 'decanter, cocktail shaker, carafe'),
  ...kind('flatware', 'dining, kitchen', 'flatware, silverware, spoon, fork, teaspoon, serving spoon, souvenir spoon', {
    headings: 'knives cutlery',
  }),
  ...kind('silver', 'home', 'silver tray, silver bowl, silverplate', { headings: 'sterling silver' }),
  ...kind(
    'glass art',
    'decor, art',
    'art glass, paperweight, stained glass, glass art, carnival glass, depression glass',
    { models: 'murano' },
  ),
  ...kind('pottery', 'decor, home', 'pottery, art pottery', {
    headings: 'pottery glass',
    models: 'roseville, rookwood, mccoy, hull pottery',
  }),
  // Art and collections.
  ...kind('art', 'home, goods', 'artwork', { headings: 'art collectibles, art' }),
  ...kind('painting', 'art', 'painting, oil painting, watercolor, acrylic painting, oil on canvas, watercolour', {
    depicts: true,
  }),
  ...kind(
    'print',
    'art',
    'art print, lithograph, etching, woodblock, woodblock print, serigraph, engraving, screenprint, giclee, linocut',
    {
      depicts: true,
      headings: 'print',
    },
  ),
  ...kind('poster', 'print', 'poster, movie poster, concert poster, travel poster', {
    depicts: true,
    headings: 'posters prints',
  }),
  ...kind('drawing', 'art', 'drawing, sketch, charcoal drawing', { headings: 'drawing illustration', depicts: true }),
  ...kind('photograph', 'art, collectible', 'photograph, tintype, daguerreotype, cabinet card, snapshot', {
    depicts: true,
    headings: 'photographic images, photography, art photographs, photographs',
  }),
  ...kind('sculpture', 'art', 'sculpture, statue, wood carving, bronze statue', { depicts: true }),
  ...kind('collectible', 'goods', 'collectible, memorabilia, antique'),
  ...kind(
    'advertising',
    'collectible',
    'advertising sign, tin sign, enamel sign, neon sign, porcelain sign, advertising',
    { depicts: true },
  ),
  ...kind('postcard', 'collectible', 'postcard, post card', { headings: 'postcards supplies', depicts: true }),
  ...kind('pin', 'collectible, accessory', 'enamel pin, lapel pin, pinback, pinback button, hat pin', {
    headings: 'pins',
  }),
  ...kind(
    'coin',
    'collectible',
    'coin, morgan dollar, silver dollar, wheat cent, penny, half dollar, indian head cent, buffalo nickel, walking liberty, proof set',
    {
      headings: 'dollar, small cent, coins money, coins us',
    },
  ),
  ...kind('stamp', 'collectible', 'stamp, postage stamp, stamp collection, first day cover', { headings: 'stamps' }),
  ...kind('autograph', 'collectible', 'autograph, signed photo', { depicts: true }),
  ...kind('sticker', 'collectible', 'sticker, decal', { depicts: true }),
  ...kind(
    'pen',
    'office, collectible',
    'fountain pen, ballpoint pen, mechanical pencil, ballpoint, pen set, rollerball',
    {
      headings: 'pen, pencils pens, pens writing instruments',
      models: 'montblanc, parker 51, lamy, pelikan',
    },
  ),
  ...kind(
    'office',
    'home, goods',
    'office supply, office supplies, stapler, desk set, letter opener, planner, inkwell, binder',
  ),
  // Crafts, tools, instruments, sport, and others.
  ...kind('craft', 'goods', 'craft, craft supply, craft supplies', { headings: 'arts crafts, craft supplies tools' }),
  ...kind(
    'fabric',
    'craft',
    'fabric, fabric yardage, fabric remnant, quilting fabric, upholstery fabric, fat quarter, feedsack',
    {
      headings: 'soft furnishings textiles, fabric notions',
    },
  ),
  ...kind('yarn', 'craft', 'yarn, skein, knitting yarn, roving', { headings: 'knitting crochet' }),
  ...kind(
    'sewing pattern',
    'craft',
    'sewing pattern, dress pattern, knitting pattern, crochet pattern, vogue pattern, simplicity pattern, mccalls pattern, butterick pattern, pattern uncut',
    {
      depicts: true,
      headings: 'pattern, patterns blueprints',
      models: 'simplicity, mccalls, butterick, vogue paris original',
    },
  ),
  ...kind(
    'sewing',
    'craft',
    'sewing machine, sewing box, thimble, pincushion, embroidery hoop, cross stitch kit, needlepoint kit, buttons',
    {
      headings: 'sewing',
      models: 'singer featherweight',
    },
  ),
  ...kind('tool', 'goods, home', 'tool, toolbox, tool box, vise, level, work light', {
    headings: 'tools workshop equipment, tools equipment, tools hardware, home improvement',
  }),
  ...kind(
    'hand tool',
    'tool',
    'hand tool, hand plane, block plane, jack plane, bench plane, plane no, hammer, wrench, pliers, chisel, screwdriver, hand saw, handsaw, saw, socket set, ratchet, brace and bit, brace bit, drawknife, axe, hatchet, clamp, spokeshave, try square, plumb bob, smoothing plane, file set, adze, mallet, tape measure, hand drill',
  ),
  ...kind('plane', 'hand tool', 'hand plane, block plane, jack plane, bench plane, smoothing plane', {
    headings: 'planes',
  }),
  ...kind('hammer', 'hand tool', 'hammer, mallet'),
  ...kind('wrench', 'hand tool', 'wrench, spanner, socket set, ratchet'),
  ...kind('saw', 'hand tool', 'saw, hand saw, handsaw, back saw, coping saw, hacksaw'),
  ...kind(
    'power tool',
    'tool',
    'power tool, circular saw, table saw, cordless drill, impact driver, router table, belt sander, orbital sander, jigsaw tool, miter saw, angle grinder, power drill, reciprocating saw',
  ),
  ...kind(
    'drill',
    'power tool',
    'drill, cordless drill, power drill, drill driver, hammer drill, drill press, impact drill',
  ),
  ...kind('instrument', 'craft, goods', 'musical instrument, metronome, music stand, synthesizer', {
    headings: 'musical instruments dj, musical instruments gear, musical instruments',
  }),
  ...kind(
    'string instrument',
    'instrument',
    'mandolin, banjo, cello, dulcimer, ukulele, harp, double bass, zither, lap steel, string instrument',
    {
      headings: 'string',
    },
  ),
  ...kind('violin', 'string instrument', 'violin, fiddle, viola'),
  ...kind('ukulele', 'string instrument', 'ukulele, uke'),
  ...kind('guitar', 'instrument', 'guitar, bass guitar', { headings: 'guitars basses' }),
  ...kind('acoustic guitar', 'guitar', 'acoustic guitar, classical guitar, 12 string guitar', {
    models: 'martin d 28, martin d, taylor 214ce',
  }),
  ...kind('electric guitar', 'guitar', 'electric guitar', {
    models: 'stratocaster, telecaster, les paul, gibson sg, ibanez, fender strat, jazzmaster, gretsch',
  }),
  ...kind(
    'guitar gear',
    'instrument',
    'guitar amp, guitar amplifier, guitar pedal, effects pedal, guitar case, guitar stand, guitar tuner, bass amp, distortion pedal, guitar pick, tube amp',
    {
      headings: 'guitar amplifier',
    },
  ),
  ...kind('instrument strap', 'instrument', 'guitar strap, bass strap, guitar parts', { headings: 'strap' }),
  ...kind(
    'woodwind',
    'instrument',
    'clarinet, flute, oboe, bassoon, recorder instrument, piccolo, saxophone, alto sax, tenor sax',
    {
      headings: 'woodwind, wind woodwind',
    },
  ),
  ...kind('clarinet', 'woodwind', 'clarinet, bass clarinet'),
  ...kind('flute', 'woodwind', 'flute, piccolo'),
  ...kind('brass', 'instrument', 'trombone, french horn, tuba, cornet, flugelhorn, bugle, euphonium', {
    headings: 'brass',
  }),
  ...kind('trumpet', 'brass', 'trumpet, cornet'),
  ...kind('saxophone', 'woodwind, brass', 'saxophone, alto sax, tenor sax, alto saxophone, tenor saxophone'),
  ...kind(
    'percussion',
    'instrument',
    'percussion, cymbal, tambourine, bongos, xylophone, congas, hi hat, maracas, djembe',
    { headings: 'percussion' },
  ),
  ...kind('drum', 'percussion', 'drum, snare drum, drum set, drum kit, bass drum, bongos, djembe'),
  ...kind(
    'piano',
    'instrument',
    'piano, organ, synthesizer, electric piano, harpsichord, melodica, casio keyboard, music keyboard, keyboard synthesizer',
    {
      headings: 'keyboard, pianos keyboards organs',
      models: 'yamaha dx7, moog, roland juno, casio sk',
    },
  ),
  ...kind('accordion', 'instrument', 'accordion, concertina'),
  ...kind('harmonica', 'instrument', 'harmonica', { models: 'marine band' }),
  ...kind(
    'sport',
    'goods',
    'sporting goods, sport, sports equipment, skateboard, surfboard, yoga mat, dumbbell, kettlebell',
    {
      headings:
        'sports outdoors, sports, outdoor recreation, sports outdoor recreation, team sports, fitness, ball sport',
    },
  ),
  ...kind('outdoors', 'sport', 'sleeping bag, camp stove, hammock, cooler, compass, canteen', { headings: 'outdoors' }),
  ...kind('camping', 'outdoors', 'tent, camping tent, camp stove, sleeping bag, camping', {
    headings: 'camping hiking',
  }),
  ...kind(
    'fishing',
    'outdoors',
    'fishing reel, fishing rod, fishing lure, fly reel, fly rod, spinning reel, tackle box, baitcaster, lure, spinning rod, fishing',
    {
      models: 'penn reel, abu garcia',
    },
  ),
  ...kind('fishing reel', 'fishing', 'fishing reel, fly reel, spinning reel, baitcasting reel, casting reel'),
  ...kind('fishing rod', 'fishing', 'fishing rod, fly rod, spinning rod, casting rod'),
  ...kind(
    'golf',
    'sport',
    'golf club, golf clubs, putter, golf driver, golf iron, iron set, golf bag, golf ball, wedge set, fairway wood, golf irons',
    {
      headings: 'golf',
      models: 'scotty cameron, titleist, taylormade, ping anser, callaway',
    },
  ),
  ...kind('golf club', 'golf', 'golf club, putter, golf driver, golf iron, iron set, fairway wood, golf wedge', {
    headings: 'clubs',
  }),
  ...kind(
    'racket',
    'sport',
    'tennis racket, tennis racquet, badminton racket, squash racquet, racquet, racket, pickleball paddle',
    {
      headings: 'racquet sports, tennis, tennis racquet sports, raquet sports',
    },
  ),
  ...kind(
    'baseball gear',
    'sport',
    'baseball glove, baseball mitt, catchers mitt, baseball bat, softball glove, softball bat, fielders glove, first base mitt',
    {
      headings: 'baseball softball, gloves mitts, ball sports, team sports',
    },
  ),
  ...kind('ball', 'sport', 'basketball, football ball, soccer ball, volleyball, signed baseball', {
    headings: 'ball sports, team sports',
  }),
  ...kind('bicycle', 'outdoors', 'bicycle, bike, road bike, mountain bike, bike frame, cruiser bike', {
    headings: 'cycling',
  }),
  ...kind('skis', 'sport', 'skis, ski poles, snowboard, ice skates, roller skates, skateboard deck', {
    headings: 'winter sports',
  }),
  ...kind('beauty', 'goods', 'beauty, nail polish, hair dryer, curling iron', {
    headings: 'bath beauty, health beauty, bath body, grooming, tools brushes',
  }),
  ...kind(
    'perfume',
    'beauty',
    'perfume, fragrance, cologne, eau de parfum, eau de toilette, edt, edp, parfum, after shave, aftershave',
  ),
  ...kind(
    'makeup',
    'beauty',
    'makeup, lipstick, eyeshadow, mascara, eyeshadow palette, foundation makeup, blush, lip gloss',
    { headings: 'makeup cosmetics' },
  ),
  ...kind('skincare', 'beauty', 'skincare, skin care, moisturizer, serum, face cream'),
  ...kind(
    'pet',
    'goods',
    'dog collar, dog leash, cat bed, dog bed, dog toy, dog harness, pet carrier, aquarium, dog sweater, dog coat, pet supply',
    {
      headings: 'pet, pets, pet supplies, dog',
    },
  ),
  ...kind('baby gear', 'goods', 'stroller, car seat, high chair, baby carrier, crib, baby monitor'),
}

interface Rest {
  headings?: string
  models?: string
  who?: 'men' | 'women'
  depicts?: boolean
}

function kind(name: string, isA: string, words: string, rest: Rest = {}): Record<string, Kind> {
  const split = (text = '') => text.split(', ').filter((one) => one !== '')
  return {
    [name]: {
      isA: split(isA),
      words: split(words),
      headings: split(rest.headings),
      models: split(rest.models),
      who: rest.who ?? null,
      depicts: rest.depicts ?? false,
    },
  }
}
