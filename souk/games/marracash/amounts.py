"""The amounts of MarraCash: dirhams, signs and souvenir cards."""

STEP = 25  # every amount is a multiple of it
START_DIRHAMS = 1200  # of each player
SIGNS = 6  # of each player
LEAST_BID = 100

# The bank pays a shop's owner this much times the customer's rank, up to the highest rank.
RANK_PAYMENT = 100
HIGHEST_RANK = 5

# The bank pays the auctioneer a commission if another player buys the shop.
AUCTION_COMMISSION = 100
HIGH_AUCTION_COMMISSION = 200
HIGH_PRICE = 500  # a price above it earns the high commission

# A shop's owner pays the mover a commission for each customer.
COMMISSION = 50
HIGH_COMMISSION = 100
HIGH_AMOUNT = 300  # an amount above it, paid to the owner, earns the high commission

FROM_THE_BANK = 25_750  # the most that the bank pays out in a game

CARDS = {  # souvenirs by colour
    "red": (50, 75, 100, 125, 150),
    "yellow": (150, 175, 200, 225, 250),
    "blue": (125, 150, 175, 200, 225),
    "green": (100, 125, 150, 175, 200),
    "purple": (75, 100, 125, 150, 175),
}
DECK = tuple((colour, value) for colour, values in CARDS.items() for value in values)  # by number
