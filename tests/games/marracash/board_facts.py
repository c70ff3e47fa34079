"""The two boards of the rules, as facts: who joins whom and which shops a walk meets.

The same facts as in souk's board files, written independently and in a form that a person can
check against a picture. `board` gives them in the form of a board file, without the drawing.
"""

# Fountains in order, a gate with a star, with the shops that touch it; then the shops' colours
# are their first letters; then every street as "from to: met going | met coming back".
FACTS = {
    "classic1996": """
        F1* F2 F3(B1) F4(Y2) F5(P3) F6(B3) F7(R2) F8* F9(B4) F10(Y3) F11(G3) F12(R4) F13 F14 F15
        F16*
        F1 F2: G2 | G2
        F1 F6: G2 P2 R2 B3 | P2 R2 G2
        F1 F3: P2 B1 R1 | R1 B1 P2
        F2 F7: G2 R2 P4 | P4 R2 G2
        F3 F5: B1 P3 | B1 P3
        F3 F4: P3 R1 Y2 G1 P1 | G1 P1 Y2 R1 P3 B1
        F4 F9: B2 R3 B4 | B2 R3 Y2
        F4 F8: B2 P1 Y1 | B2 Y1 P1 Y2
        F5 F6: B1 G3 B3 P2 | B3 P2 B1 G3 P3
        F5 F11: G3 Y3 | G3 Y3 P3
        F6 F7: R2 Y4 | R2 Y4 B3
        F7 F13: P4 Y4 | P4 Y4 R2
        F8 F9: B2 G4 B4 | B2 G4
        F8 F14: G4 | G4
        F9 F10: B4 R3 Y3 | B4 R3
        F10 F11: R5 Y3 G3 | R5 Y3
        F10 F15: B4 R5 Y5 | R5 Y5 B4 Y3
        F11 F12: P5 R5 G3 R4 | G3 P5 R5
        F12 F13: B5 R4 Y4 | B5 Y4 R4
        F12 F16: B5 P5 | B5 P5 R4
        F13 F16: B5 G5 | B5 G5
        F14 F15: G4 Y5 | Y5 G4
        F15 F16: R5 P5 | P5 R5
    """,
    "medina": """
        W01 W02 W03 W04* W05(G2) W06(B1) W07(Y3) W08* W09 W10(B4) W11(G4) W12(R4) W13 W14 W15*
        W16
        W01 W02: Y1 | Y1
        W01 W04: Y1 B2 | B2 Y1
        W02 W03: R1 Y2 B1 P1 | P1 B1 Y2 R1
        W02 W05: R1 Y1 B2 G2 | B2 R1 Y1
        W03 W08: R2 G1 | G1 R2
        W03 W07: P1 R2 G1 Y3 | G1 P1 R2
        W04 W05: B2 P2 R3 G2 | B2 R3 P2
        W04 W09: P2 | P2
        W05 W06: G2 R1 P3 Y2 B1 | P3 Y2 G2 R1
        W06 W07: P1 Y3 | P1 Y3 B1
        W06 W11: P3 Y3 R4 G4 | P3 R4 Y3 B1
        W07 W08: B3 G1 | B3 G1 Y3
        W08 W13: B3 P4 | P4 B3
        W09 W10: P2 Y4 G3 R3 B4 | G3 R3 P2 Y4
        W09 W14: Y4 G3 | G3 Y4
        W10 W11: B4 R5 G4 P3 | G4 P3 B4 R5
        W10 W14: G3 R5 | G3 R5 B4
        W11 W12: B5 R4 | B5 R4 G4
        W12 W13: P4 Y5 G5 | G5 P4 Y5 R4
        W12 W15: B5 Y5 | B5 Y5 R4
        W13 W16: G5 | G5
        W14 W15: R5 P5 B5 | B5 P5 R5
        W15 W16: Y5 G5 | G5 Y5
    """,
}
NAMES = list(FACTS)
COLOUR_OF = {"R": "red", "Y": "yellow", "B": "blue", "G": "green", "P": "purple"}
SHOPS = [letter + number for letter in COLOUR_OF for number in "12345"]


def board(name):
    """A board of the rules as the dict of a board file, as far as play needs it."""
    first, *streets = [line for line in FACTS[name].strip().splitlines() if line]
    while ":" not in streets[0]:
        first += " " + streets.pop(0)
    fountains, gates = [], []
    for written in first.split():
        known, _, touched = written.rstrip(")").partition("(")
        fountain = known.rstrip("*")
        if known.endswith("*"):
            gates.append(fountain)
        shops = touched.split(",") if touched else []
        fountains.append({"id": fountain, "dark": fountain in gates, "adjacent_shops": shops})
    result = []
    for number, line in enumerate(streets, 1):
        ends, _, met = line.partition(":")
        going, coming = met.split("|")
        a, b = ends.split()
        result.append(
            {
                "id": f"E{number:02}",
                "a": a,
                "b": b,
                "passed_a_to_b": going.split(),
                "passed_b_to_a": coming.split(),
            }
        )
    shops = [{"id": shop, "color": COLOUR_OF[shop[0]]} for shop in SHOPS]
    return {
        "id": name,
        "fountains": fountains,
        "gates": gates,
        "shops": shops,
        "streets": result,
    }


BOARDS = {name: board(name) for name in NAMES}
