"""The Gymnasium environments: their checks, their opponents, and vectors of them."""

import copy
import pickle
from importlib.metadata import entry_points
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import souk
import souk.envs
from souk.envs.gymnasium import SeatEnv, SeatVectorEnv
from souk.players import Player

IDS = ("souk/Marrakech-v0", "souk/MarraCash-v0")
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    (IDS[0], {}),
    (IDS[0], {"players": 2, "seat": 1, "opponents": "random"}),
    (IDS[0], {"players": 3, "seat": 1, "opponents": ["random", "greedy"], "dirhams": 5}),
    (IDS[1], {"opponents": "random"}),
    (IDS[1], {"seat": 3, "opponents": "novice", "reduced_actions": True, "souvenirs": True}),
]


class Last(Player):
    """Takes the last legal action, and keeps what it was shown."""

    name = "last"

    def __init__(self, game: souk.Game, **limits: Any) -> None:
        super().__init__(game, **limits)
        self.shown: list[souk.State] = []

    def think(self, state: souk.State, actions: list[int]) -> int:
        self.shown.append(state)
        return actions[-1]


def random_action(info: dict[str, Any], pick: np.random.Generator) -> int:
    return int(pick.choice(np.flatnonzero(info["action_mask"])))


def test_every_game_is_registered() -> None:
    assert {*IDS} <= {*gymnasium.registry}
    for entry in entry_points(group="gymnasium.envs"):
        if entry.module == "souk.envs":
            return entry.load()()  # again, which changes nothing
    raise AssertionError("no entry point")


@pytest.mark.parametrize(("id", "settings"), SETTINGS)
def test_check_env_has_no_complaints(
    id: str, settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    check_env(gymnasium.make(id, **settings).unwrapped)
    assert "dirhams" in capsys.readouterr().out  # render_mode="human"


@pytest.mark.parametrize(("id", "settings"), SETTINGS)
def test_the_seat_sees_the_game_as_its_state_shows_it(id: str, settings: dict[str, Any]) -> None:
    env = gymnasium.make(id, **settings)
    seat = settings.get("seat", 0)
    pick = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    is_over = False
    while not is_over:
        state = env.unwrapped._rows.state(0)
        assert state.current_player() == seat
        assert np.array_equal(observation, state.observation_tensor(seat))
        assert observation in env.observation_space
        if not settings.get("reduced_actions"):
            assert np.array_equal(info["action_mask"], state.legal_actions_mask())
        assert np.array_equal(info["action_mask"], env.get_wrapper_attr("action_masks")())
        observation, reward, is_over, is_cut, info = env.step(random_action(info, pick))
        assert not is_cut and (is_over or reward == 0)
    state = env.unwrapped._rows.state(0)
    assert state.is_terminal() and reward == pytest.approx(state.returns()[seat])
    assert np.array_equal(observation, state.observation_tensor(seat))
    assert not info["action_mask"].any()
    with pytest.raises(souk.SoukError, match="call reset"):
        env.step(0)


@pytest.mark.parametrize(("id", "settings"), SETTINGS)
def test_a_vector_of_one_plays_the_games_of_a_single_environment(
    id: str, settings: dict[str, Any]
) -> None:
    env, envs = gymnasium.make(id, **settings), gymnasium.make_vec(id, num_envs=1, **settings)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert type(envs.unwrapped).__name__ == "SeatVectorEnv"
    pick = np.random.default_rng(2)
    (one, info), (many, infos) = env.reset(seed=7), envs.reset(seed=7)
    for _ in range(2):
        is_over = False
        while not is_over:
            assert np.array_equal(one, many[0])
            assert np.array_equal(info["action_mask"], infos["action_mask"][0])
            action = random_action(info, pick)
            one, reward, is_over, _, info = env.step(action)
            many, rewards, ends, cuts, infos = envs.step(np.array([action]))
            assert (rewards[0], ends[0], cuts[0]) == (pytest.approx(reward), is_over, False)
        assert np.array_equal(one, many[0])
        (one, info), (many, rewards, ends, _, infos) = env.reset(), envs.step(np.array([0]))
        assert rewards[0] == 0 and not ends[0]


@pytest.mark.parametrize("opponents", ["random", "greedy", ["greedy", "random"]])
def test_a_vector_waits_for_the_seat_in_every_row(opponents: Any) -> None:
    envs = gymnasium.make_vec(IDS[0], num_envs=6, players=3, seat=1, rugs=3, opponents=opponents)
    pick = np.random.default_rng(3)
    observations, infos = envs.reset(seed=3)
    games, ends = 0, np.zeros(6, bool)
    while games < 12:
        for row in range(6):
            state = envs.unwrapped._rows.state(row)
            assert state.current_player() == (souk.TERMINAL if ends[row] else 1)
            assert np.array_equal(observations[row], state.observation_tensor(1))
            assert np.array_equal(infos["action_mask"][row], state.legal_actions_mask())
        draws = pick.random(infos["action_mask"].shape) * infos["action_mask"]
        observations, rewards, ends, _, infos = envs.step(draws.argmax(axis=1))
        assert not rewards[~ends].any()
        games += int(ends.sum())


def test_the_same_seed_gives_the_same_games() -> None:
    def play(seed: int) -> list[float]:
        env = gymnasium.make(IDS[0], players=3, opponents=["random", "greedy"])
        pick, seen = np.random.default_rng(0), []
        _, info = env.reset(seed=seed)
        for _ in range(60):
            observation, _, is_over, _, info = env.step(random_action(info, pick))
            seen.append(observation.sum())
            if is_over:
                _, info = env.reset()
        return seen

    assert play(1) == play(1) != play(2)


def test_an_opponent_knows_the_actions_of_the_game() -> None:
    """Players need them to infer what others do, and to avoid repeating moves for ever."""
    player = Last(souk.load_game("marracash"))
    env = gymnasium.make(IDS[1], opponents=player)
    pick, own = np.random.default_rng(5), []
    _, info = env.reset(seed=5)
    for _ in range(30):
        own.append(random_action(info, pick))
        *_, info = env.step(own[-1])
    last = player.shown[-1]
    actions = [
        action for action, mover in zip(last.history(), last.movers(), strict=True) if not mover
    ]
    assert actions == own[: len(actions)] and len(actions) > 20
    while last.history():
        last.undo_action()
    assert last.scores() == [1200] * 4


def test_an_illegal_action_ends_the_game() -> None:
    env = gymnasium.make(IDS[0])
    env.reset(seed=1)
    _, reward, is_over, _, info = env.step(50)
    assert (reward, is_over) == (-1, True)
    assert info["illegal_action"].startswith("'f1f2' (action 50) is not legal now; legal: left")
    env.reset()
    with pytest.raises(souk.IllegalAction, match="a whole number, not 'left'"):
        env.step("left")
    strict = gymnasium.make(IDS[0], illegal_reward=None)
    strict.reset()
    with pytest.raises(souk.IllegalAction, match="legal: left, ahead, right"):
        strict.step(50)
    envs = gymnasium.make_vec(IDS[0], num_envs=2)
    envs.reset()
    with pytest.raises(souk.IllegalAction, match=r"row 1: .* legal: left, ahead, right"):
        envs.step(np.array([0, 50]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seat": 3}, "seat is a number from 0 to 2, not 3"),
        ({"opponents": ["greedy"]}, "a list of 2, in the order of their seats"),
        ({"opponents": "nobody"}, "no computer player 'nobody'"),
        ({"players": 5}, "players accepts"),
        ({"reduced_actions": True}, "marrakech has no reduced actions"),
        ({"colour": "red"}, "colour"),
        ({"opponents": souk.player("greedy", souk.load_game("marracash"))}, "made for marracash"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(souk.SoukError, match=message):
        gymnasium.make(IDS[0], **settings)


def test_an_environment_shows_the_position_as_text() -> None:
    env = gymnasium.make(IDS[0], render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(souk.load_game("marrakech").new_initial_state())
    assert SeatEnv(render_mode="rgb_array").render() is None  # stable-baselines3 asks for it


@pytest.mark.parametrize("opponents", ["random", "trader"])
def test_a_copy_plays_on_by_itself(opponents: str) -> None:
    env = SeatEnv(players=2, opponents=opponents, two_player="one-colour", rugs=3)
    mask = env.reset(seed=1)[1]["action_mask"]
    env.step(mask.argmax())
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    is_over = False
    while not is_over:
        action = env.action_masks().argmax()
        seen, reward, is_over, *_ = env.step(action)
        for other in copies:
            again = other.step(action)
            assert again[0].tolist() == seen.tolist() and again[1:3] == (reward, is_over)


def test_a_vector_takes_one_seed_for_all_rows() -> None:
    envs = SeatVectorEnv(2, seat=1, opponents="random")
    assert np.array_equal(envs.reset(seed=3)[0], envs.reset(seed=np.int64(3))[0])  # type: ignore[arg-type]
    wrong: Any
    for wrong in ([1, 2], -1, 0.5, True):
        with pytest.raises(souk.SoukError, match="seed is one whole number from 0"):
            envs.reset(seed=wrong)


def test_games_of_a_vector_are_reset_first() -> None:
    with pytest.raises(souk.SoukError, match="call reset"):
        SeatVectorEnv(2, seat=1, opponents="random").step([0, 0])


@pytest.mark.parametrize("opponents", ["random", "novice"])
def test_long_games_of_a_vector_are_truncated(opponents: str) -> None:
    """The rules of MarraCash set no limit; a single environment gets one from Gymnasium."""
    settings = {"players": 3, "seat": 1, "opponents": opponents, "max_episode_steps": 5}
    envs = gymnasium.make_vec(IDS[1], num_envs=3, **settings)
    _, info = envs.reset(seed=1)
    dealt = [envs.unwrapped._rows.state(row).to_dict()["queue"] for row in range(3)]
    for step in range(1, 12):
        seen, rewards, ends, cuts, info = envs.step(info["action_mask"].argmax(axis=1))
        assert cuts.tolist() == [step in (5, 11)] * 3  # step 6 starts the next games
        assert not ends.any() and not rewards.any() and seen in envs.observation_space
        assert (envs.unwrapped._rows.current_player == 1).all()
        if step == 6:
            for row, queue in enumerate(dealt):
                position = envs.unwrapped._rows.state(row).to_dict()
                assert position["round"] == 1 and position["queue"] != queue
    env = gymnasium.make(IDS[1], **settings)
    _, info = env.reset(seed=1)
    cuts = [env.step(env.unwrapped.action_masks().argmax())[3] for _ in range(5)]
    assert cuts == [False] * 4 + [True]
    with pytest.raises(souk.SoukError, match="max_episode_steps is a whole number from 1, not 0"):
        SeatVectorEnv(2, max_episode_steps=0)
