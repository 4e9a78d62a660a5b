/**
 * Categories in the marketplaces' own words, incomplete, but with all that are easily confused. A line has a path and the
 * names below it.
 */

const worn = (group: string, who: string, lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.trim().replaceAll('{group}', group).replaceAll('{who}', who))
    .join('\n')

export const ebayPaths: readonly string[] = paths(`
${worn(
  'Clothing, Shoes & Accessories > Men',
  'Men’s',
  `
{group} > {who} Clothing: Activewear; Coats, Jackets & Vests; Jeans; Pants; Shorts; Sleepwear & Robes; Socks; Suits & Suit Separates; Sweaters; Swimwear; Underwear
{group} > {who} Clothing > Shirts: Casual Button-Down Shirts; Dress Shirts; Polos; T-Shirts
{group} > {who} Shoes: Athletic Shoes; Boots; Casual Shoes; Dress Shoes; Sandals; Slippers
{group} > {who} Accessories: Backpacks, Bags & Briefcases; Belts; Gloves & Mittens; Hats; Scarves; Sunglasses & Sunglasses Accessories; Suspenders, Braces; Ties; Wallets`,
)}
${worn(
  'Clothing, Shoes & Accessories > Women',
  'Women’s',
  `
{group} > {who} Clothing: Activewear; Coats, Jackets & Vests; Dresses; Hosiery & Socks; Intimates & Sleep; Jeans; Jumpsuits & Rompers; Leggings; Pants; Shorts; Skirts; Suits & Suit Separates; Sweaters; Swimwear; T-Shirts; Tops
{group} > {who} Shoes: Athletic Shoes; Boots; Comfort Shoes; Flats; Heels; Sandals; Slippers
{group} > {who} Accessories: Belts; Gloves & Mittens; Hats; Scarves & Wraps; Sunglasses & Sunglasses Accessories; Wallets
{group}: Women’s Bags & Handbags`,
)}
Clothing, Shoes & Accessories > Kids > Boys > Boys’ Clothing (Sizes 4 & Up): Coats & Jackets; Jeans; Pants; Shirts & Tops; Sweaters; Sleepwear
Clothing, Shoes & Accessories > Kids > Boys: Boys’ Shoes; Boys’ Accessories
Clothing, Shoes & Accessories > Kids > Girls > Girls’ Clothing (Sizes 4 & Up): Coats & Jackets; Dresses; Jeans; Pants; Skirts; Sweaters; Tops & T-Shirts
Clothing, Shoes & Accessories > Kids > Girls: Girls’ Shoes; Girls’ Accessories
Clothing, Shoes & Accessories > Baby & Toddler Clothing: Baby & Toddler Outerwear; Dresses; One-Pieces; Outfits & Sets; Shoes; Tops & T-Shirts
Clothing, Shoes & Accessories > Specialty: Costumes, Reenactment, Theater; Wedding & Formal Occasion; Uniforms & Work Clothing
Jewelry & Watches > Fine Jewelry: Bracelets; Brooches & Pins; Earrings; Necklaces & Pendants; Rings
Jewelry & Watches > Fashion Jewelry: Bracelets & Charms; Brooches & Pins; Earrings; Necklaces & Pendants; Rings
Jewelry & Watches > Watches, Parts & Accessories: Pocket Watches; Watch Accessories > Wristwatch Bands; Wristwatches
Jewelry & Watches: Jewelry Boxes & Organizers
Cameras & Photo > Film Photography: Film Cameras; Instant Cameras; Film; Movie Cameras
Cameras & Photo > Digital Cameras: Digital Cameras; Camcorders
Cameras & Photo > Lenses & Filters: Lenses; Lens Caps; Filters
Cameras & Photo: Camera, Drone & Photo Accessories > Cases, Bags & Covers; Camera, Drone & Photo Accessories > Straps & Hand Grips; Flashes & Flash Accessories; Tripods & Supports; Binoculars & Telescopes
Books & Magazines: Books; Cookbooks; Magazines; Textbooks, Education & Reference
Collectibles > Comic Books & Memorabilia > Comics: Comics & Graphic Novels
Collectibles: Advertising; Decorative Collectibles > Figurines; Holiday & Seasonal > Christmas Ornaments; Pens & Writing Instruments > Pens; Postcards & Supplies > Postcards; Keychains; Pinbacks; Lamps, Lighting > Kerosene Lamps; Photographic Images; Collectible Card Games > CCG Individual Cards; Vintage Electronics > Typewriters; Kitchen & Home > Cookie Jars; Knives, Swords & Blades
Music: CDs; Vinyl Records; Cassettes; Music Memorabilia
Movies & TV: DVDs & Blu-ray Discs; VHS Tapes
Video Games & Consoles: Video Games; Video Game Consoles; Video Game Accessories
Toys & Hobbies: Action Figures; Diecast & Toy Vehicles; Games > Board & Traditional Games; Building Toys > LEGO Complete Sets & Packs; Model Railroads & Trains; Puzzles > Jigsaw Puzzles; Stuffed Animals; Collectible Card Games
Dolls & Bears: Dolls; Bears; Doll Clothing & Accessories; Dollhouse Miniatures
Sports Mem, Cards & Fan Shop: Sports Trading Cards > Trading Card Singles; Autographs; Fan Apparel & Souvenirs
Sporting Goods: Fishing > Fishing Reels; Fishing > Fishing Rods; Golf > Golf Clubs; Cycling > Bicycles; Camping & Hiking > Tents; Baseball & Softball > Gloves & Mitts; Tennis & Racquet Sports > Racquets
Home & Garden: Lamps, Lighting & Ceiling Fans > Lamps; Lamps, Lighting & Ceiling Fans > Lamp Shades; Lamps, Lighting & Ceiling Fans > Chandeliers & Ceiling Fixtures; Bedding > Quilts, Bedspreads & Coverlets; Bedding > Blankets & Throws; Curtains & Window Treatments; Furniture > Chairs; Furniture > Tables; Home Décor > Candle Holders; Home Décor > Clocks; Home Décor > Mirrors; Home Décor > Picture Frames; Home Décor > Pillows; Rugs & Carpets > Area Rugs
Home & Garden > Kitchen, Dining & Bar: Cookware; Bakeware; Dinnerware & Serveware > Plates; Dinnerware & Serveware > Bowls; Dinnerware & Serveware > Teapots, Coffee Pots & Kettles; Dinnerware & Serveware > Cups, Mugs & Saucers; Glassware & Drinkware; Flatware; Small Kitchen Appliances
Pottery & Glass: Pottery & China > China & Dinnerware; Pottery & China > Art Pottery; Glass > Art Glass; Decorative Cookware, Dinnerware & Serveware > Plates; Decorative Cookware, Dinnerware & Serveware > Teapots & Tea Sets; Vases
Antiques: Linens & Textiles > Quilts; Linens & Textiles > Tablecloths; Silver > Sterling Silver; Rugs & Carpets; Furniture > Chairs; Decorative Arts > Clocks
Art: Paintings; Art Prints; Art Photographs; Art Posters; Sculptures
Crafts: Sewing > Sewing Patterns; Fabric; Needlecrafts & Yarn > Yarn; Scrapbooking
Business & Industrial: Test, Measurement & Inspection
Home Improvement: Tools & Workshop Equipment > Hand Tools > Planes; Tools & Workshop Equipment > Hand Tools > Hammers; Tools & Workshop Equipment > Hand Tools > Wrenches; Tools & Workshop Equipment > Hand Tools > Saws; Tools & Workshop Equipment > Power Tools > Drills
Musical Instruments & Gear: Guitars & Basses > Acoustic Guitars; Guitars & Basses > Electric Guitars; Guitars & Basses > Guitar Amplifiers; Guitars & Basses > Parts & Accessories > Straps; String > Violins; String > Ukuleles; Wind & Woodwind > Clarinets; Wind & Woodwind > Flutes; Brass > Trumpets; Brass > Saxophones; Percussion > Drums; Pianos, Keyboards & Organs; Harmonicas; Accordions
Consumer Electronics: Portable Audio & Headphones > Headphones; Portable Audio & Headphones > iPods & MP3 Players; Vintage Electronics > Radios; TV, Video & Home Audio > Home Audio > Turntables & Record Players; TV, Video & Home Audio > Home Audio > Speakers; TV, Video & Home Audio > Home Audio > Receivers
Computers/Tablets & Networking: Laptops & Netbooks; Keyboards; Tablets & eBook Readers
Cell Phones & Accessories: Cell Phones & Smartphones; Cell Phone Accessories > Cases, Covers & Skins
Coins & Paper Money > Coins: US: Dollars; Small Cents
Stamps: United States
Health & Beauty: Fragrances > Women’s Fragrances; Fragrances > Men’s Fragrances; Makeup; Skin Care
Travel: Luggage
Baby: Strollers
Pet Supplies: Dog Supplies
`)

export const etsyPaths: readonly string[] = paths(`
Accessories: Belts & Suspenders > Belts; Belts & Suspenders > Suspenders; Gloves & Mittens; Hats & Head Coverings; Keychains & Lanyards; Patches & Appliques; Pins & Clips; Scarves & Wraps; Sunglasses & Eyewear > Sunglasses; Suit & Tie Accessories > Neckties; Umbrellas & Rain Accessories
Art & Collectibles: Collectibles > Advertising; Collectibles > Coins & Money; Collectibles > Figurines & Knick Knacks; Collectibles > Postcards; Collectibles > Trading Cards; Dolls & Miniatures; Drawing & Illustration; Glass Art; Painting; Photography; Prints > Posters; Prints > Lithographs; Sculpture
Bags & Purses: Backpacks; Briefcases & Attaches; Clutches & Evening Bags; Cosmetic & Toiletry Storage; Electronics Cases; Fanny Packs; Handbags > Crossbody Bags; Handbags > Shoulder Bags; Handbags > Top Handle Bags; Luggage & Travel; Messenger Bags; Totes; Wallets & Money Clips
Bath & Beauty: Fragrances; Makeup & Cosmetics; Skin Care
Books, Movies & Music: Books; Books > Comics & Graphic Novels; Books > Cookbooks; Magazines; Movies; Music > Recorded Audio; Music > Musical Instruments
Clothing > Boys’ Clothing: Jackets & Coats; Pants; Tops & Tees; Sweaters
Clothing > Girls’ Clothing: Dresses; Jackets & Coats; Skirts; Tops & Tees; Sweaters
Clothing > Baby & Toddler Clothing: Bodysuits; Dresses; Jackets & Coats; Sweaters
Clothing > Men’s Clothing: Hoodies & Sweatshirts; Jackets & Coats; Jeans; Pants; Pajamas & Robes; Shirts & Tees > T-shirts; Shirts & Tees > Dress Shirts; Shirts & Tees > Oxfords & Button Downs; Shirts & Tees > Polos; Shorts; Socks & Hosiery; Suits & Sport Coats; Sweaters; Swimwear; Underwear; Vests
Clothing > Women’s Clothing: Dresses; Hoodies & Sweatshirts; Jackets & Coats; Jeans; Jumpsuits & Rompers; Lingerie; Pajamas & Robes; Pants & Capris; Shorts & Skorts; Skirts; Socks & Hosiery; Suits & Blazers; Sweaters; Swimwear; Tops & Tees > Blouses; Tops & Tees > T-shirts; Tops & Tees > Tanks; Vests
Clothing: Unisex Adult Clothing > Hoodies & Sweatshirts; Unisex Adult Clothing > Tops & Tees > T-shirts
Craft Supplies & Tools: Fabric & Notions > Fabric; Yarn, Thread & Roving > Yarn; Patterns & How To > Patterns & Blueprints; Tools & Equipment > Hand Tools; Closures & Fasteners > Buttons
Electronics & Accessories: Cameras & Equipment > Cameras; Cameras & Equipment > Camera Lenses; Cameras & Equipment > Camera Straps; Audio > Radios; Audio > Record Players; Audio > Headphones; Computers & Peripherals > Keyboards; Computers & Peripherals > Laptops; Cell Phone Accessories > Phone Cases; Video Games > Video Game Consoles; Gadgets > Typewriters
Home & Living: Bedding > Quilts & Duvets; Bedding > Blankets & Throws; Floor & Rugs > Rugs; Furniture > Chairs; Furniture > Tables; Home Decor > Candles & Holders > Candle Holders; Home Decor > Clocks; Home Decor > Mirrors; Home Decor > Ornaments & Accents > Figurines; Home Decor > Ornaments & Accents > Christmas Ornaments; Home Decor > Picture Frames; Home Decor > Throw Pillows; Home Decor > Vases; Lighting > Chandeliers; Lighting > Lamp Shades; Lighting > Table Lamps; Lighting > Floor Lamps; Outdoor & Garden; Tools & Hardware
Home & Living > Kitchen & Dining: Cookware; Dining & Serving > Bowls; Dining & Serving > Plates; Drink & Barware > Drinkware > Mugs; Drink & Barware > Drinkware > Glasses; Drink & Barware > Drinkware > Tea Cups & Sets; Drink & Barware > Coffee & Tea > Teapots; Linens > Tablecloths; Dining & Serving > Flatware
Jewelry: Bracelets; Brooches, Pins & Clips > Brooches; Earrings; Jewelry Storage; Necklaces; Rings; Watches > Wristwatches; Watches > Pocket Watches; Watches > Watch Straps
Shoes > Men’s Shoes: Boots; Loafers & Slip Ons; Oxfords & Tie Shoes; Sandals; Sneakers & Athletic Shoes; Slippers
Shoes > Women’s Shoes: Boots; Clogs & Mules; Loafers & Slip Ons; Oxfords & Tie Shoes; Pumps; Sandals; Slip Ons; Sneakers & Athletic Shoes; Slippers
Shoes: Boys’ Shoes; Girls’ Shoes; Baby & Toddler Shoes
Toys & Games: Games & Puzzles > Board Games; Games & Puzzles > Puzzles; Sports & Outdoor Recreation; Toys > Action Figures; Toys > Building Toys; Toys > Dolls & Action Figures; Toys > Stuffed Animals & Plushies; Toys > Vehicles; Toys > Doll Clothing
Weddings: Clothing > Dresses
`)

/** Options of Poshmark's form: a department, then a category, then perhaps a narrower one. */
export const poshmarkPaths: readonly string[] = paths(`
Women > Accessories: Belts; Gloves & Mittens; Hair Accessories; Hats; Hosiery & Socks; Key & Card Holders; Laptop Cases; Phone Cases; Scarves & Wraps; Sunglasses; Tablet Cases; Umbrellas; Watches
Women > Bags: Baby Bags; Backpacks; Clutches & Wristlets; Crossbody Bags; Hobos; Laptop Bags; Mini Bags; Satchels; Shoulder Bags; Totes; Travel Bags; Wallets
Women > Dresses: Maxi; Midi; Mini; Prom; Strapless; Wedding
Women > Intimates & Sleepwear: Bras; Chemises & Slips; Pajamas; Panties; Robes; Shapewear
Women > Jackets & Coats: Blazers & Suit Jackets; Bomber Jackets; Capes; Jean Jackets; Leather Jackets; Pea Coats; Puffers; Trench Coats; Vests
Women > Jeans: Boot Cut; Boyfriend; Flare & Wide Leg; Skinny; Straight Leg
Women > Jewelry: Bracelets; Brooches; Earrings; Necklaces; Rings
Women > Makeup: Lipstick; Palettes
Women > Pants & Jumpsuits: Jumpsuits & Rompers; Leggings; Straight Leg; Trousers; Wide Leg
Women > Shoes: Ankle Boots & Booties; Athletic Shoes; Combat & Moto Boots; Espadrilles; Flats & Loafers; Heeled Boots; Heels; Lace Up Boots; Moccasins; Mules & Clogs; Over the Knee Boots; Platforms; Sandals; Slippers; Sneakers; Wedges; Winter & Rain Boots
Women > Shorts: Bermudas; Jean Shorts; High Waist
Women > Skirts: A-Line or Full; Circle & Skater; Maxi; Midi; Mini; Pencil
Women > Sweaters: Cardigans; Cowl & Turtlenecks; Crew & Scoop Necks; Off-the-Shoulder Sweaters; Shrugs & Ponchos; V-Necks
Women > Swim: Bikinis; Coverups; One Pieces
Women > Tops: Blouses; Bodysuits; Button Down Shirts; Camisoles; Crop Tops; Sweatshirts & Hoodies; Tank Tops; Tees - Long Sleeve; Tees - Short Sleeve; Tunics
Women > Skincare: Moisturizer
Women > Other
Men > Accessories: Belts; Cuff Links; Gloves; Hats; Jewelry; Key & Card Holders; Money Clips; Pocket Squares; Scarves; Sunglasses; Suspenders; Ties; Watches
Men > Bags: Backpacks; Belt Bags; Briefcases; Duffel Bags; Laptop Bags; Luggage & Travel Bags; Messenger Bags; Toiletry Bags; Wallets
Men > Jackets & Coats: Bomber & Varsity; Lightweight & Shirt Jackets; Military & Field; Pea Coats; Performance Jackets; Puffers; Raincoats; Ski & Snowboard; Trench Coats; Vests; Windbreakers
Men > Jeans: Bootcut; Relaxed; Skinny; Slim; Straight
Men > Pants: Cargo; Chinos & Khakis; Corduroy; Dress; Sweatpants & Joggers
Men > Shirts: Casual Button Down Shirts; Dress Shirts; Polos; Sweatshirts & Hoodies; Tank Tops; Tees - Long Sleeve; Tees - Short Sleeve
Men > Shoes: Athletic Shoes; Boat Shoes; Boots; Cowboy & Western Boots; Loafers & Slip-Ons; Oxfords & Derbys; Rain & Snow Boots; Sandals & Flip-Flops; Sneakers
Men > Shorts: Athletic; Cargo; Flat Front; Jean Shorts
Men > Suits & Blazers: Sport Coats & Blazers; Suits; Tuxedos; Vests
Men > Sweaters: Cardigan; Crewneck; Turtleneck; V-Neck
Men > Swim: Board Shorts; Swim Trunks
Men > Underwear & Socks: Boxer Briefs; Casual Socks; Undershirts
Men > Grooming; Men > Other
Kids > Accessories: Bags; Belts; Hats; Jewelry; Mittens; Socks & Tights; Sunglasses
Kids > Bottoms: Jeans; Leggings; Overalls; Shorts; Skirts
Kids > Dresses: Casual; Formal
Kids > Jackets & Coats: Jean Jackets; Puffers; Raincoats; Vests
Kids > Matching Sets; Kids > One Pieces
Kids > Pajamas: Nightgowns; Robes; Sleep Sacks
Kids > Shirts & Tops: Button Down Shirts; Camisoles; Polos; Sweaters; Sweatshirts & Hoodies; Tees - Short Sleeve
Kids > Shoes: Baby & Walker; Boots; Dress Shoes; Sandals & Flip Flops; Sneakers
Kids > Swim; Kids > Costumes
Kids > Toys: Action Figures & Playsets; Building Sets & Blocks; Cars & Vehicles; Dolls & Accessories; Learning Toys; Puzzles & Games; Stuffed Animals; Trading Cards
Kids > Other
Home > Accents: Accent Pillows; Candles & Holders; Curtains & Drapes; Decor; Door Mats; Furniture; Lanterns; Picture Frames; Vases; Wreaths
Home > Art: Mixed Media; Paintings; Photography; Prints; Sculptures
Home > Bath: Towels
Home > Bedding: Blankets & Throws; Comforters; Duvet Covers; Quilts; Sheets
Home > Dining: Bar Accessories; Dinnerware; Drinkware; Serveware; Table Linens
Home > Games: Board Games; Card Games; Puzzles
Home > Holiday: Holiday Decor; Ornaments
Home > Kitchen: Bakeware; Coffee & Tea Accessories; Cookware; Cooking Utensils; Kitchen Linens; Knives & Cutlery
Home > Office: Binders & Folders; Pencils & Pens; Planners
Home > Storage & Organization: Jewelry Boxes
Home > Wall Decor; Home > Design; Home > Other
Pets > Dog: Collars, Leashes & Harnesses; Clothing; Toys
Pets > Cat; Pets > Other
Electronics > Cameras, Photo & Video: Cameras; Camera & Photo Accessories; Camera Lenses; Video Cameras
Electronics > Cell Phones & Accessories: Cases; Cell Phones
Electronics > Computers, Laptops & Parts: Keyboards; Laptops
Electronics > Headphones
Electronics > Media: Books; CDs; DVDs; Vinyl Records
Electronics > Portable Audio & Video: Radios; Speakers
Electronics > Video Games & Consoles: Consoles; Games; Controllers
Electronics > Other
`)

/** Options of Mercari's form: three levels. */
export const mercariPaths: readonly string[] = paths(`
Women > Coats & jackets: Blazer; Cape; Denim; Fleece jacket; Leather; Parka; Peacoat; Poncho; Puffer; Raincoat; Trench coat; Vest; Other
Women > Dresses: Above knee, mini; Knee-length; Midi; Full-length, maxi; Other
Women > Jeans: Boot cut; Boyfriend; Flare; Slim, skinny; Straight leg; Other
Women > Jewelry: Bracelets; Brooches, pins; Earrings; Necklaces; Rings; Other
Women > Pants: Cargo; Casual; Dress pants; Leggings; Other
Women > Shoes: Athletic; Boots; Fashion sneakers; Flats; Heels; Loafers; Mules & clogs; Sandals; Slippers; Other
Women > Skirts: A-line; Maxi; Mini; Pencil; Pleated; Other
Women > Suits & blazers: Blazer; Pant suit; Skirt suit; Other
Women > Sweaters: Cardigan; Cashmere; Crewneck; Hooded; Turtleneck; Vest; Other
Women > Swimwear: One-piece; Two-piece; Other
Women > Tops & blouses: Blouse; Button down shirt; Halter; T-shirts; Tank, cami; Tunic; Other
Women > Women’s accessories: Belts; Gloves; Hats; Scarves & wraps; Sunglasses; Wallets; Watches; Other
Women > Women’s handbags: Backpack style; Clutch; Messenger & crossbody; Satchel; Shoulder bag; Totes & shoppers; Other
Women > Underwear: Bras; Panties; Other
Women > Athletic apparel: Jackets; Pants, tights, leggings; Shirts & tops; Shorts; Tracksuits & sweats; Other
Women > Maternity: Dresses; Tops; Other
Men > Coats & jackets: Bomber, varsity; Denim; Leather; Parka; Peacoat; Puffer; Raincoat; Trench coat; Vest; Windbreaker; Other
Men > Jeans: Boot cut; Relaxed; Slim, skinny; Straight leg; Other
Men > Men’s accessories: Backpacks, bags & briefcases; Belts; Gloves; Hats; Scarves; Sunglasses; Ties; Wallets; Watches; Other
Men > Pants: Cargo; Casual; Corduroys; Dress - flat front; Khakis, chinos; Other
Men > Shoes: Athletic; Boots; Fashion sneakers; Loafers & slip-ons; Oxfords; Sandals; Slippers; Other
Men > Shorts: Athletic; Board; Cargo; Denim; Other
Men > Suits: One button; Two button; Other
Men > Blazers & sport coats: One button; Two button; Other
Men > Sweaters: Cardigan; Crewneck; Turtleneck; V-neck; Vest; Other
Men > Sweats & hoodies: Hoodie; Sweatpants; Sweatshirt, pullover; Other
Men > Tops: Button-front; Dress shirts; Henley; Polo, rugby; T-shirts; Tank; Other
Men > Swimwear: Board shorts; Trunks; Other
Kids > Boys (2T-5T): Bottoms; Coats & jackets; Shoes; Sweaters; Tops & t-shirts; Other
Kids > Boys (4+): Bottoms; Coats & jackets; Shoes; Sweaters; Tops & t-shirts; Other
Kids > Girls (2T-5T): Bottoms; Coats & jackets; Dresses; Shoes; Sweaters; Tops & t-shirts; Other
Kids > Girls (4+): Bottoms; Coats & jackets; Dresses; Shoes; Sweaters; Tops & t-shirts; Other
Kids > Toys: Action figures & statues; Arts & crafts; Building toys; Dolls & accessories; Games; Puzzles; Stuffed animals & plush; Trains & vehicles; Other
Home > Art: Paintings; Posters & prints; Photographs; Other
Home > Bedding: Blankets & throws; Comforters & sets; Quilts; Sheets; Other
Home > Furniture: Chairs; Tables; Other
Home > Home décor: Candles & holders; Clocks; Lamps; Mirrors; Picture frames; Pillows; Rugs; Vases; Other
Home > Kitchen & dining: Bakeware; Coffee & tea; Cookware; Dinnerware; Drinkware; Flatware; Serveware; Table linens; Other
Home > Seasonal décor: Christmas; Halloween; Other
Home > Tools & equipment: Hand tools; Power tools; Other
Vintage & collectibles > Antique: Books; China & glass; Furniture; Silver; Other
Vintage & collectibles > Collectibles: Coins; Figurines; Postcards; Stamps; Comics; Pins; Other
Vintage & collectibles > Trading cards: CCG; Sports; Other
Vintage & collectibles > Housewares: Vase; Kitchenware; Other
Electronics > Cameras & photography: Film cameras; Digital cameras; Instant cameras; Lenses & filters; Bags & cases; Straps; Other
Electronics > Cell phones & accessories: Cell phones & smartphones; Cases, covers & skins; Other
Electronics > Computers & laptops: Laptops; Keyboards; Other
Electronics > Media: Books; CDs; DVDs; Vinyl records; Cassettes; Other
Electronics > TV, audio & surveillance: Headphones; Home audio; Radios; Record players; Speakers; Other
Electronics > Video games & consoles: Consoles; Games; Accessories; Other
Books > Books: Cookbooks; Fiction; Children’s books; History; Other
Books > Magazines: Fashion; News; Other
Sports & outdoors > Outdoors: Camping; Fishing; Cycling; Other
Sports & outdoors > Golf: Clubs; Bags; Other
Sports & outdoors > Team sports: Baseball & softball; Basketball; Football; Other
Sports & outdoors > Racquet sports: Tennis; Other
Arts & crafts > Musical instruments: Brass; Guitars; Keyboards; Percussion; String; Woodwind; Accessories; Other
Arts & crafts > Sewing: Fabric; Patterns; Other
Arts & crafts > Knitting & crochet: Yarn; Other
Beauty > Fragrance: Women; Men; Other
Beauty > Makeup: Face; Lips; Other
Pet supplies > Dog: Collars; Toys; Other
Other > Office supplies: Pens; Other
`)

const depopWorn =
  'Bag; Belt; Blouses; Bodysuits; Boots; Brogues; Cardigans; Clogs; Coats; Dungarees & Overalls; Gloves; Gilets; Hat; Hoodies; Jackets; Jeans; Jewellery; Joggers & Tracksuits; Jumpers; Leggings; Loafers; Oxfords; Pajamas; Polo Shirts; Robes; Sandals; Scarf & Wraps; Shirts; Shorts; Skirts; Slippers; Socks; Suits; Sunglasses; Sweatshirts; Swimsuit & One-piece; Tailored Jackets; Tailored Trousers; Trainers; Trousers; T-shirts; Vests, Tanks & Camis; Waistcoats & Vests; Wallet & Purses; Watch; Other Accessories; Other Coats & Jackets; Other Footwear; Other Tops'

/** Options of Depop's form: headings and what is below them. */
export const depopPaths: readonly string[] = paths(`
Menswear: ${depopWorn}; Other
Womenswear: ${depopWorn}; Ballet Shoes; Corsets; Courts; Dresses; Hosiery & Tights; Jumpsuit; Mules; Playsuit & Romper; Other
Kidswear: ${depopWorn}; Dresses; First Shoes & Baby Shoes; Sleepsuits & Babygrows; Other
Everything else: Action Figures & Playsets; Ball Sports; Bath & Body; Books; Building Sets & Blocks; Cameras & Accessories; Camping & Hiking; Cars & Vehicles; CDs & Vinyl; Collectibles; Cycling; Decor & Home Accesories; Dinnerware; Dolls & Accessories; Drawing & Illustrations; Fitness; Fragrance; Furniture; Golf; Laptop Cases & Bag; Magazines; Makeup; Musical Instruments & DJ; Paintings; Phone Cases; Photography; Prints; Puzzles & Games; Raquet Sports; Sculptures; Skincare; Soft Furnishings & Textiles; Storage & Organisation; Stickers; Stuffed Animals; Tools & Brushes; Trading Cards; Umbrella; Water Sports
`)

function paths(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, above, names] = /^(.*?): (.*)$/.exec(line.replace('Coins: US', 'US Coins')) ?? [null, '', line]
      return names!
        .split('; ')
        .map((name) => (above === '' || above === undefined ? name : `${above} > ${name.trim()}`))
    })
}
